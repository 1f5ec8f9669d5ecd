import { Button } from '#pwa/ui/button.tsx'
import { Dialog } from '#pwa/ui/dialog.tsx'
import { plural } from '#shared/rules/plural.ts'
import type { Losses } from './use-logout.ts'

type Props = { losses: Losses; onStay: () => void; onLogout: () => void }

/** Asks before a logout, which deletes all of the person's data from the device. */
const LogoutDialog = ({ losses: { forms, videos }, onStay, onLogout }: Props) => (
  <Dialog
    isOpen
    onClose={onStay}
    title={forms > 0 ? unsentTitle(forms) : `Log out and delete ${plural(videos, 'video')}?`}
    footer={
      <>
        <Button look="bad" onClick={onLogout}>
          Log out and delete
        </Button>
        <Button look="line" onClick={onStay}>
          Stay logged in
        </Button>
      </>
    }
  >
    {forms > 0 && (
      <p>
        Logging out removes everything of yours from this phone, so you will lose {forms === 1 ? 'it' : 'them'}. Your
        video ticks are safe until you log in again.
      </p>
    )}
    {videos > 0 && (
      <p>
        {videos === 1 ? 'The video' : `The ${videos} videos`} kept on this phone will be deleted. You can keep{' '}
        {videos === 1 ? 'it' : 'them'} again after you log in.
      </p>
    )}
  </Dialog>
)

const unsentTitle = (count: number) =>
  count === 1 ? 'One form hasn’t been sent yet' : `${count} forms haven’t been sent yet`

export default LogoutDialog
