import { useCallback } from 'react'
import { useShelfView } from '#pwa/features/members/stored/use-shelf.ts'
import { loadFile } from '#pwa/lib/load-file.ts'

/** Where a kept video's downloads are on this phone. */
export function useKeptHandouts(videoId: string) {
  const handouts = useShelfView()?.rows.find((row) => row.videoId === videoId)?.handouts
  const isHere = (address: string) => handouts?.some((one) => one.address === address) === true
  const save = useCallback(
    async (address: string, name: string) => {
      const found = handouts?.find((one) => one.address === address)
      if (!found) return
      const { browserPieceFiles } = await loadFile(() => import('#pwa/sync/shelf/piece-files.ts'))
      const [blob] = (await browserPieceFiles().read(found.sha256, 1)) ?? []
      if (blob) saveBlob(blob, name)
    },
    [handouts],
  )
  return { isHere, save }
}

/** A press on a link for the browser's own download. */
function saveBlob(blob: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
