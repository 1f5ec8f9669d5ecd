import { useShelfView } from '#pwa/features/members/stored/use-shelf.ts'
import { useIsReadOnly } from '#pwa/sync/hooks.ts'
import { Button, ButtonLink } from '#pwa/ui/button.tsx'
import type { MemberVideo } from '#shared/contract/video.ts'
import { keepText, videosText } from './shelf-texts.ts'
import { sizeOfAll, useKeep, whyNotHere } from './use-keep.tsx'
import './shelf.css'

/** Keeps what's left of a category, and says how much of it is here. */
export default function KeepCategory({ videos, hasSignal }: { videos: readonly MemberVideo[]; hasSignal: boolean }) {
  const view = useShelfView()
  const isReadOnly = useIsReadOnly()
  const kept = new Set(view?.rows.map(({ videoId }) => videoId))
  const left = videos.filter(({ id }) => view?.keepable.has(id) && !kept.has(id))
  const chosen = view?.rows.filter(({ videoId }) => videos.some(({ id }) => id === videoId)) ?? []
  const whole = chosen.filter((row) => row.whole !== null).length
  const { begin, dialog } = useKeep(view, left)
  if (!view || isReadOnly || whyNotHere() !== null) return null
  const canKeep = hasSignal && left.length > 0
  return (
    <>
      {(canKeep || chosen.length > 0) && (
        <div className="cat__keep acts">
          {canKeep && (
            <Button look="line" isSmall icon="down" onClick={begin}>
              {keepText(left.length, sizeOfAll(view, left))}
            </Button>
          )}
          {chosen.length > 0 && (
            <ButtonLink look="bare" isSmall to="/members/$place" params={{ place: 'shelf' }}>
              <span aria-live="polite">
                {whole === chosen.length
                  ? `${videosText(whole)} on this phone`
                  : `${whole} of ${videosText(chosen.length)} on this phone`}
              </span>
            </ButtonLink>
          )}
        </div>
      )}
      {dialog}
    </>
  )
}
