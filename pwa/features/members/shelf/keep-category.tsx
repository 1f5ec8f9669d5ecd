import { useIsReadOnly } from '#pwa/sync/hooks.ts'
import { Button } from '#pwa/ui/button.tsx'
import type { MemberVideo } from '#shared/contract/video.ts'
import { keepText } from './shelf-texts.ts'
import { sizeOfAll, useKeep, whyNotHere } from './use-keep.tsx'
import { useShelfView } from './use-shelf.ts'
import './shelf.css'

/** Keeps what's left of a category. Nothing, once all of it is kept, or without signal. */
export default function KeepCategory({ videos, hasSignal }: { videos: readonly MemberVideo[]; hasSignal: boolean }) {
  const view = useShelfView()
  const isReadOnly = useIsReadOnly()
  const kept = new Set(view?.rows.map(({ videoId }) => videoId))
  const left = videos.filter(({ id }) => view?.keepable.has(id) && !kept.has(id))
  const { begin, dialog } = useKeep(view, left)
  if (!view || isReadOnly || whyNotHere() !== null) return null
  return (
    <>
      {hasSignal && left.length > 0 && (
        <div className="cat__keep">
          <Button look="line" isSmall icon="down" onClick={begin}>
            {keepText(left.length, sizeOfAll(view, left))}
          </Button>
        </div>
      )}
      {dialog}
    </>
  )
}
