import { Button } from '#pwa/ui/button.tsx'
import { Dialog } from '#pwa/ui/dialog.tsx'

type Props = { count: number; onStay: () => void; onLogout: () => void }

/** Asked before a logout, which deletes everything of the person from the device. */
const LogoutDialog = ({ count, onStay, onLogout }: Props) => (
  <Dialog
    isOpen
    onClose={onStay}
    title={count === 1 ? 'A form has not been sent' : `${count} forms have not been sent`}
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
      {count === 1 ? 'It waits on this phone' : 'They wait on this phone'} for signal. Logging out takes everything of
      yours off the phone, so {count === 1 ? 'it' : 'they'} would be lost. Your video ticks stay, locked until you log
      in again.
    </p>
  </Dialog>
)

export default LogoutDialog
