import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type RefObject, useState } from 'react'
import { type FormValues, readOwnerDraft } from '#pwa/features/admin/kit/forms/draft-storage.ts'
import { RowForm, valuesIn } from '#pwa/features/admin/kit/forms/row-form.tsx'
import { ListState } from '#pwa/features/admin/kit/list/list.tsx'
import { useUploads } from '#pwa/features/admin/kit/media/media-upload.tsx'
import { adminTiersQuery } from '#pwa/features/admin/kit/tiers/queries.ts'
import { useTierList } from '#pwa/features/admin/kit/tiers/use-tier-names.ts'
import { videoQuery } from '#pwa/features/admin/videos/queries.ts'
import { isShown, stateOf } from '#pwa/features/admin/videos/video-texts.ts'
import { VideoTexts } from '#pwa/features/members/video-page/video-words.tsx'
import { api } from '#pwa/lib/api.ts'
import { RequestError } from '#pwa/lib/request-error.ts'
import { Badge } from '#pwa/ui/badge.tsx'
import { Button, ButtonLink } from '#pwa/ui/button.tsx'
import { Dialog } from '#pwa/ui/dialog.tsx'
import { EmptyState } from '#pwa/ui/empty-state.tsx'
import { Skeleton } from '#pwa/ui/skeleton.tsx'
import { VideoRequest, WholeVideo } from '#shared/contract/admin-video.ts'
import { AskedSection } from './asked-section.tsx'
import { useLibrary, videoFileKinds } from './use-library.ts'
import { newVideoValues, videoForm, videoSays } from './video-form.tsx'
import './video-form.css'
import '#pwa/features/admin/kit/forms/page-form.css'

type Search = Record<string, unknown>

const withoutVideo = ({ lesson: _, ...others }: Search): Search => others

type Props = {
  /** Null for a new video. */
  id: string | null
  /** Tells the list which video was saved. */
  savedId: RefObject<string | undefined>
}

/** A draft on this device shows even offline. */
export default function VideoScreen({ id, savedId }: Props) {
  const draft = `lesson-${id ?? 'new'}`
  const [hasDraft, setHasDraft] = useState(() => readOwnerDraft(draft) !== null)
  const { data, error, dataUpdatedAt, isFetching, refetch } = useQuery({
    ...videoQuery(id ?? ''),
    enabled: id !== null,
  })
  const { isPending: isBefore } = useQuery({ ...adminTiersQuery, staleTime: 60_000 })
  if (error instanceof RequestError && error.code === 'not_found')
    return (
      <EmptyState title="We can’t find that video" action={toList}>
        It may have been deleted.
      </EmptyState>
    )
  return (
    <>
      <div className="panel__top">
        <h2>{id === null ? 'Add a video' : 'Edit video'}</h2>
        {data && <Badge tone={isShown(data) ? 'ok' : 'open'}>{stateOf(data)}</Badge>}
        {toList}
      </div>
      <ListState error={error} dataUpdatedAt={dataUpdatedAt} isFetching={isFetching} refetch={refetch} />
      {(id === null && !isBefore) || data || hasDraft ? (
        <VideoForm
          id={id}
          draft={draft}
          savedId={savedId}
          video={data ?? null}
          onStartAgain={() => setHasDraft(false)}
        />
      ) : (
        error === null && <Skeleton size="block" />
      )}
      {data && <AskedSection id={data.id} />}
    </>
  )
}

const toList = (
  <ButtonLink look="line" isSmall to="." search={withoutVideo}>
    All videos
  </ButtonLink>
)

type FormProps = Props & {
  draft: string
  /** Null if it’s new or we couldn’t load it. Then the draft on this device fills the form. */
  video: WholeVideo | null
  onStartAgain: () => void
}

/** The contract reduces a pasted URL to its ID before it’s sent. */
function VideoForm({ id, draft, video, savedId, onStartAgain }: FormProps) {
  const [preview, setPreview] = useState<FormValues | null>(null)
  const { fileOf } = useLibrary(videoFileKinds)
  const isUploading = useUploads().uploads.some(({ state }) => ['waiting', 'sending', 'checking'].includes(state))
  const tierList = useTierList()
  const { draw, ...form } = videoForm({
    id,
    tierList,
    nameOf: (file) => fileOf(file)?.name ?? 'A file',
  })
  const navigate = useNavigate()
  const admin = api.api.admin.videos
  return (
    <>
      <RowForm
        label="Video"
        className="lessonform pageform"
        draft={draft}
        schema={VideoRequest}
        row={WholeVideo}
        {...form}
        begin={() => (video ? form.valuesOf(video) : newVideoValues(tierList.slugs))}
        send={(request, { version, key }) =>
          id === null
            ? admin.post(request, { headers: { 'idempotency-key': key } })
            : admin({ id }).patch({ ...request, version })
        }
        failure={id === null ? 'Failed to add video' : 'Failed to update video'}
        done={({ title }) => ({ title: id === null ? 'Video added' : 'Video saved', description: title })}
        submit={id === null ? 'Add video' : 'Save video'}
        cancel="Discard"
        says={videoSays}
        onClose={(saved) => {
          savedId.current = saved?.id
          navigate({ to: '.', search: withoutVideo, resetScroll: saved === undefined }).catch(reportError)
        }}
        onStartAgain={onStartAgain}
        waitsFor={isUploading ? 'You can save once the upload is done.' : undefined}
        tools={(formRef) => (
          <Button look="line" icon="eye" aria-haspopup="dialog" onClick={() => setPreview(valuesIn(formRef))}>
            Preview
          </Button>
        )}
      >
        {draw}
      </RowForm>
      {preview && (
        <Dialog isOpen isWide onClose={() => setPreview(null)} title="What members read">
          <VideoPreview values={preview} />
        </Dialog>
      )}
    </>
  )
}

function VideoPreview({ values: { notes = '', transcript = '' } }: { values: FormValues }) {
  if (`${notes}${transcript}`.trim() === '') return <p>No notes or transcript yet.</p>
  return <VideoTexts notes={notes.trim() || null} transcript={transcript.trim() || null} />
}
