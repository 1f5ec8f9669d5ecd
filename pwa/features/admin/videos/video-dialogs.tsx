import { lazy, Suspense } from 'react'
import { DeleteDialog } from '#pwa/features/admin/kit/forms/confirm-dialog.tsx'
import { VideoPlayer } from '#pwa/features/members/videos/video-player.tsx'
import { api } from '#pwa/lib/api.ts'
import { loadFile } from '#pwa/lib/load-file.ts'
import { Dialog } from '#pwa/ui/dialog.tsx'
import { Skeleton } from '#pwa/ui/skeleton.tsx'
import { AdminVideo, VideoRemoved } from '#shared/contract/admin-video.ts'

const CategoriesForm = lazy(() => loadFile(() => import('./categories-form.tsx')))
const ViewersSection = lazy(() => loadFile(() => import('./viewers.tsx')))

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

/** As members see it. Loads nothing from the host until it’s opened. */
export const WatchVideoDialog = ({ video, onClose }: { video: AdminVideo; onClose: () => void }) => (
  <Dialog isOpen isWide onClose={onClose} title={video.title}>
    <VideoPlayer video={video} hasSignal />
  </Dialog>
)
