import { useSiteContent } from '#pwa/lib/site-content.tsx'
import { ButtonAnchor, ButtonLink } from '#pwa/ui/button.tsx'
import { Dialog } from '#pwa/ui/dialog.tsx'
import { OutsideFrame } from '#pwa/ui/outside-frame.tsx'

type Props = { title: string; isOpen: boolean; onClose: () => void }

/** The calendar in which a visitor books a free call; where none is set up, the way to the form that does the same. */
function BookingDialog({ title, isOpen, onClose }: Props) {
  const { booking } = useSiteContent().links
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={title} isWide>
      {booking ? (
        <>
          <OutsideFrame
            address={booking}
            title="Booking calendar"
            height={600}
            overlay={{ words: 'Loading the calendar…', ms: 2_000, endsOnLoad: true }}
          />
          <div>
            <ButtonAnchor look="line" icon="ext" href={booking} target="_blank" rel="noreferrer">
              Open the calendar in a new tab
            </ButtonAnchor>
          </div>
        </>
      ) : (
        <>
          <p>The online calendar is not set up yet. Leave your number and a coach rings you within 24 hours.</p>
          <div>
            <ButtonLink to="/book-coaching-call" icon="arrow">
              Ask for a call
            </ButtonLink>
          </div>
        </>
      )}
    </Dialog>
  )
}

export default BookingDialog
