import { lazy, Suspense, useState } from 'react'
import { DeleteDialog } from '#pwa/features/admin/confirm-dialog.tsx'
import { readOwnerDraft } from '#pwa/features/admin/draft-storage.ts'
import { api } from '#pwa/lib/api.ts'
import { Button } from '#pwa/ui/button.tsx'
import { Dialog } from '#pwa/ui/dialog.tsx'
import { OutsideFrame } from '#pwa/ui/outside-frame.tsx'
import { Skeleton } from '#pwa/ui/skeleton.tsx'
import { AdminVideo, VideoRemoved } from '#shared/contract/admin-video.ts'
import { playerAddress } from '#shared/rules/video.ts'
import { VideoForm } from './video-form.tsx'
import { textsLabel } from './video-texts.ts'

const VideoTextsForm = lazy(() => import('./video-texts-form.tsx'))
const VideoFilesForm = lazy(() => import('./video-files-form.tsx'))
const CategoriesForm = lazy(() => import('./categories-form.tsx'))
const ViewersSection = lazy(() => import('./viewers.tsx'))

type FormProps = { video: AdminVideo | null; categories: readonly string[]; onClose: () => void }

export const VideoFormDialog = ({ video, categories, onClose }: FormProps) => (
  <Dialog isOpen isWide onClose={onClose} title={video ? `Edit: ${video.title}` : 'Add a video'}>
    <VideoForm {...{ video, categories, onClose }} />
    {video && <TextsPart video={video} />}
  </Dialog>
)

/** Loads the form on opening, since most edits leave the texts alone. */
function TextsPart({ video }: { video: AdminVideo }) {
  const [isOpen, setOpen] = useState(() => readOwnerDraft(`video-texts-${video.id}`) !== null)
  return (
    <section className="videoform__texts" aria-labelledby="texts-part">
      <h3 id="texts-part">Notes, transcript and captions</h3>
      {isOpen ? (
        <Suspense fallback={<Skeleton size="block" />}>
          <VideoTextsForm video={video} onClose={() => setOpen(false)} />
        </Suspense>
      ) : (
        <>
          <p className="second">{textsLabel(video)}</p>
          <Button look="line" isSmall icon="pencil" onClick={() => setOpen(true)}>
            Edit texts
          </Button>
        </>
      )}
    </section>
  )
}

export const VideoFilesDialog = ({ video, onClose }: { video: AdminVideo; onClose: () => void }) => (
  <Dialog isOpen isWide onClose={onClose} title={`Files of “${video.title}”`}>
    <Suspense fallback={<Skeleton size="block" />}>
      <VideoFilesForm video={video} />
    </Suspense>
  </Dialog>
)

export const CategoriesDialog = ({ onClose }: { onClose: () => void }) => (
  <Dialog isOpen onClose={onClose} title="Categories">
    <Suspense fallback={<Skeleton size="block" />}>
      <CategoriesForm onClose={onClose} />
    </Suspense>
  </Dialog>
)

export const ViewersDialog = ({ video, onClose }: { video: AdminVideo; onClose: () => void }) => (
  <Dialog isOpen isWide onClose={onClose} title={video.title}>
    <Suspense fallback={<Skeleton size="block" />}>
      <ViewersSection video={video} />
    </Suspense>
  </Dialog>
)

export const RemoveVideoDialog = ({ video, onClose }: { video: AdminVideo; onClose: () => void }) => (
  <DeleteDialog
    what="video"
    row={video}
    schema={AdminVideo}
    removed={VideoRemoved}
    send={(version) => api.api.admin.videos({ id: video.id }).delete({}, { query: { version } })}
    nowIs={({ title, category }) => `It’s now called “${title}”, in ${category}.`}
    onClose={onClose}
  >
    Members lose their ticks for it. This cannot be undone. To hide it instead, make it a draft.
  </DeleteDialog>
)

/** Loads nothing from the host until it’s opened. */
export function WatchVideoDialog({ video, onClose }: { video: AdminVideo; onClose: () => void }) {
  const address = playerAddress(video)
  return (
    <Dialog isOpen isWide onClose={onClose} title={video.title}>
      {address === null ? (
        <p>This video has no link to play.</p>
      ) : (
        <OutsideFrame address={address} title={video.title} direct="Open the video in a new tab" />
      )}
    </Dialog>
  )
}
