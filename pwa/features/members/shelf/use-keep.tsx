import { lazy, type ReactNode, Suspense, useState } from 'react'
import { canKeepHere, useShelf } from '#pwa/features/members/stored/use-shelf.ts'
import { loadFile } from '#pwa/lib/load-file.ts'
import { needsManualInstall } from '#pwa/lib/see-browser.ts'
import type { ShelfView } from '#pwa/sync/progress/status.ts'
import type { MemberVideo } from '#shared/contract/video.ts'
import { fileToKeep } from '#shared/rules/shelf.ts'

const KeepDialog = lazy(() => loadFile(() => import('./keep-dialog.tsx')))

/** Why this browser keeps nothing; null if it can. */
export function whyNotHere(): string | null {
  if (needsManualInstall()) return 'To keep videos on this phone, add us to your Home Screen first.'
  return canKeepHere()
    ? null
    : 'This window can’t keep videos. If it’s private, open us in a normal one, or try another browser.'
}

export const sizeOfAll = ({ keepable, shelf }: ShelfView, videos: readonly Pick<MemberVideo, 'id'>[]): number =>
  videos.reduce((sum, { id }) => {
    const video = keepable.get(id)
    return sum + ((video && fileToKeep(video, shelf.form)?.file.bytes) ?? 0)
  }, 0)

export type Keep = {
  /** Keeps them, or asks how: the first time, and for several at once. */
  begin: () => void
  dialog: ReactNode
}

export function useKeep(view: ShelfView | undefined, videos: readonly MemberVideo[]): Keep {
  const run = useShelf()
  const [isAsking, setAsking] = useState(false)
  const begin = () => {
    if (!view?.shelf.hasChosen || videos.length > 1) return setAsking(true)
    // How far it is, and what it waits for, the page says in the video's own place.
    run((shelf) =>
      shelf.keep(
        videos.map(({ id }) => id),
        view.shelf.form,
      ),
    ).catch(reportError)
  }
  const dialog = isAsking && view && (
    <Suspense>
      <KeepDialog view={view} videos={videos} onClose={() => setAsking(false)} />
    </Suspense>
  )
  return { begin, dialog }
}
