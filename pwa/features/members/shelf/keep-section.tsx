import { useShelf, useShelfView } from '#pwa/features/members/stored/use-shelf.ts'
import { useIsReadOnly } from '#pwa/sync/hooks.ts'
import type { ShelfView } from '#pwa/sync/progress/status.ts'
import { Button, ButtonLink } from '#pwa/ui/button.tsx'
import type { MemberVideo } from '#shared/contract/video.ts'
import { fileToKeep } from '#shared/rules/shelf.ts'
import { Delete } from './delete-kept.tsx'
import { FetchNow } from './fetch-now.tsx'
import { KeptProgress } from './kept-progress.tsx'
import { NotHere } from './not-here.tsx'
import { formSize } from './shelf-texts.ts'
import { useKeep, whyNotHere } from './use-keep.tsx'
import './shelf.css'

type Props = { video: MemberVideo; hasSignal: boolean; hasDownloads: boolean }

/** Keeps a video on this phone, says how far that is, or why it can't be kept. */
export default function KeepSection(props: Props) {
  const view = useShelfView()
  const isReadOnly = useIsReadOnly()
  // Until the server has said what may be kept, there's nothing to offer.
  if (!view || isReadOnly) return null
  return (
    <section className="keep" aria-label="Keep on this phone">
      <KeepOrReason {...props} view={view} />
    </section>
  )
}

function KeepOrReason({ video, hasSignal, hasDownloads, view }: Props & { view: ShelfView }) {
  const { begin, dialog } = useKeep(view, [video])
  const row = view.rows.find(({ videoId }) => videoId === video.id)
  if (row) return <KeptVideo row={row} view={view} title={video.title} />
  if (!view.keepable.has(video.id))
    return view.keepable.size > 0 && !video.files?.length ? (
      <p className="second">This video’s on another site, so you can’t keep it on your phone.</p>
    ) : null
  const reason = whyNotHere()
  if (reason !== null) return <NotHere reason={reason} />
  return (
    <>
      {hasSignal && (
        <Button
          look="line"
          icon="down"
          second={`${sizeBefore(view, video.id)}${hasDownloads ? ' plus downloads' : ''}`}
          onClick={begin}
        >
          Keep on this phone
        </Button>
      )}
      {dialog}
    </>
  )
}

function sizeBefore({ keepable, shelf }: ShelfView, videoId: string): string {
  const video = keepable.get(videoId)
  const found = video && fileToKeep(video, shelf.form)
  return found ? formSize(found.form, found.file.bytes) : ''
}

type KeptProps = { row: ShelfView['rows'][number]; view: ShelfView; title: string }

function KeptVideo({ row, view: { rows, shelf }, title }: KeptProps) {
  const run = useShelf()
  const remove = () => run((own) => own.remove([row.videoId]))
  const isFirst = rows.find(({ coming }) => coming !== null) === row
  return (
    <>
      <KeptProgress row={row} pause={shelf.pause} isFirst={isFirst} />
      <div className="acts">
        {row.coming && isFirst && <FetchNow pause={shelf.pause} />}
        {row.whole ? (
          <Delete
            what={title}
            onDelete={remove}
            button={(ask) => (
              <Button look="line" isSmall icon="bin" onClick={ask}>
                Delete from this phone
              </Button>
            )}
          />
        ) : (
          <Button look="line" isSmall icon="bin" onClick={() => void remove().catch(reportError)}>
            Don’t keep it
          </Button>
        )}
        <ButtonLink look="bare" isSmall to="/members/$place" params={{ place: 'shelf' }}>
          All on this phone
        </ButtonLink>
      </div>
    </>
  )
}
