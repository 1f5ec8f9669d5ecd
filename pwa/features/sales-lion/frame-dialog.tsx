import { ButtonLink } from '#pwa/ui/button.tsx'
import { Dialog } from '#pwa/ui/dialog.tsx'
import { OutsideFrame } from '#pwa/ui/outside-frame.tsx'

type Props = { title: string; address: string; notSetUp: string; isOpen: boolean; onClose: () => void }

/** A page of the sales platform in a dialog, or a link to the contact form if its address is not configured. */
const FrameDialog = ({ title, address, notSetUp, isOpen, onClose }: Props) => (
  <Dialog isOpen={isOpen} onClose={onClose} title={title} isWide>
    {address ? (
      <OutsideFrame
        address={address}
        title={title}
        height={600}
        overlay={{ words: 'Loading…', ms: 2_000, endsOnLoad: true }}
        direct="Open it in a new tab"
      />
    ) : (
      <>
        <p>{notSetUp}</p>
        <div>
          <ButtonLink to="/contact" search={{ subject: title }} icon="arrow">
            Send us a message
          </ButtonLink>
        </div>
      </>
    )}
  </Dialog>
)

export default FrameDialog
