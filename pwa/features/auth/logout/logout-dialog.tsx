import { Button } from '#pwa/ui/button.tsx'
import { Dialog } from '#pwa/ui/dialog.tsx'

type Props = { count: number; onStay: () => void; onLogout: () => void }

/** Asks before a logout, which deletes all of the person's data from the device. */
const LogoutDialog = ({ count, onStay, onLogout }: Props) => (
  <Dialog
    isOpen
    onClose={onStay}
    title={count === 1 ? 'One form hasn’t been sent yet' : `${count} forms haven’t been sent yet`}
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
    <p>
      Logging out removes everything of yours from this phone, so you will lose {count === 1 ? 'it' : 'them'}. Your
      video ticks are safe until you log in again.
    </p>
  </Dialog>
)

export default LogoutDialog
