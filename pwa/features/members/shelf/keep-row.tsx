import { useShelfView } from '#pwa/features/members/stored/use-shelf.ts'
import { useIsReadOnly } from '#pwa/sync/hooks.ts'
import { Badge } from '#pwa/ui/badge.tsx'
import { Icon } from '#pwa/ui/icon.tsx'
import type { MemberVideo } from '#shared/contract/video.ts'
import { formatBytes } from '#shared/values/media.ts'
import { stateText } from './shelf-texts.ts'
import { sizeOfAll, useKeep, whyNotHere } from './use-keep.tsx'

/** Keeps a video from its row in the list. */
export function KeepRow({ video }: { video: MemberVideo }) {
  const view = useShelfView()
  const isReadOnly = useIsReadOnly()
  const { begin, dialog } = useKeep(view, [video])
  if (!view?.keepable.has(video.id) || isReadOnly || whyNotHere() !== null) return null
  const size = formatBytes(sizeOfAll(view, [video]))
  return (
    <>
      <button className="act row__keep" type="button" aria-label={`Keep ${size}: ${video.title}`} onClick={begin}>
        <Icon name="down" />
        <span>
          Keep <small>{size}</small>
        </span>
      </button>
      {dialog}
    </>
  )
}

/** What a video on its way here waits for. */
export function KeptState({ videoId }: { videoId: string }) {
  const view = useShelfView()
  const row = view?.rows.find((one) => one.videoId === videoId)
  if (!view || !row) return null
  const isFirst = view.rows.find(({ coming }) => coming !== null) === row
  return (
    <Badge tone="wait">
      <span role="status">{stateText(row, view.shelf.pause, isFirst)}</span>
    </Badge>
  )
}
