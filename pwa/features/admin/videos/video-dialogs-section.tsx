import { useState } from 'react'
import * as v from 'valibot'
import { useAdminAction } from '#pwa/features/admin/use-admin-action.ts'
import { readAdminDraft } from '#pwa/features/admin/use-admin-form.ts'
import { api } from '#pwa/lib/api.ts'
import { removeDraft } from '#pwa/lib/draft.ts'
import { RequestError } from '#pwa/lib/request-error.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { Dialog } from '#pwa/ui/dialog.tsx'
import { OutsideFrame } from '#pwa/ui/outside-frame.tsx'
import { AdminVideo, VideoRemoved } from '#shared/contract/admin-video.ts'
import { playerAddress } from '#shared/rules/video.ts'
import { VideoForm } from './video-form.tsx'
import { valuesOfVideo } from './video-form-values.ts'

type FormProps = { video: AdminVideo | null; categories: readonly string[]; onClose: () => void }

/** The form of one video. Closed by its cross, what was typed comes back with the next opening. */
export function VideoFormDialog({ video, categories, onClose }: FormProps) {
  const draft = `admin-video-${video?.id ?? 'new'}`
  const [filled, setFilled] = useState(() => ({ attempt: 0, typed: readAdminDraft(draft), isRestored: true }))
  const fillWith = (typed: typeof filled.typed) => {
    removeDraft(draft)
    setFilled({ attempt: filled.attempt + 1, typed, isRestored: false })
  }
  return (
    <Dialog isOpen isWide onClose={onClose} title={video ? `Edit: ${video.title}` : 'Add a video'}>
      {filled.isRestored && filled.typed && (
        <Banner
          role="status"
          title="What you typed before is here again"
          action={
            <Button isSmall look="line" onClick={() => fillWith(null)}>
              Start again
            </Button>
          }
        />
      )}
      <VideoForm
        key={filled.attempt}
        {...{ video, draft, categories }}
        typed={filled.typed}
        onDone={onClose}
        onCancel={() => {
          removeDraft(draft)
          onClose()
        }}
        onTheirs={(theirs) => fillWith(valuesOfVideo(theirs))}
      />
    </Dialog>
  )
}

/** Asks before a video is removed. Where it was changed meanwhile, it says how, and asks again. */
export function RemoveVideoDialog({ video, onClose }: { video: AdminVideo; onClose: () => void }) {
  const action = useAdminAction({
    schema: VideoRemoved,
    send: (version: number) => api.api.admin.videos({ id: video.id }).delete({}, { query: { version } }),
    failure: 'Failed to delete video',
    done: { title: 'Video deleted', description: video.title },
    onDone: onClose,
  })
  const versions = action.error instanceof RequestError ? action.error.versions : undefined
  const changed = v.safeParse(AdminVideo, versions?.current)
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={`Delete “${video.title}”?`}
      footer={
        <>
          <Button
            look="bad"
            isBusy={action.isPending}
            busyLabel="Deleting…"
            onClick={() => action.mutate(changed.success ? changed.output.version : video.version)}
          >
            {changed.success ? 'Delete it all the same' : 'Delete video'}
          </Button>
          <Button look="line" onClick={onClose}>
            Keep it
          </Button>
        </>
      }
    >
      <p>Members’ ticks on it go with it. This cannot be undone; a draft is hidden from members too.</p>
      {action.problem && (
        <Banner tone="bad" role="alert" title={action.problem}>
          {changed.success && `It is called “${changed.output.title}” now, in ${changed.output.category}.`}
        </Banner>
      )}
    </Dialog>
  )
}

/** The player as members get it. Nothing of the host loads before this opens. */
export function WatchVideoDialog({ video, onClose }: { video: AdminVideo; onClose: () => void }) {
  const address = playerAddress(video)
  return (
    <Dialog isOpen isWide onClose={onClose} title={video.title}>
      {address === null ? (
        <p>This video has no address that can be played.</p>
      ) : (
        <OutsideFrame address={address} title={video.title} direct="Open the video in a new tab" />
      )}
    </Dialog>
  )
}
