import { OwnCalendar, ownAddress } from '#pwa/features/calendar/own-calendar.tsx'
import { useSiteContent } from '#pwa/lib/site-content.tsx'
import { ButtonAnchor } from '#pwa/ui/button.tsx'
import { Dialog } from '#pwa/ui/dialog.tsx'
import { OutsideEmbed } from '#pwa/ui/outside-embed.tsx'

type Props = { title: string; isOpen: boolean; onClose: () => void }

const overlay = { words: 'Loading the calendar…', ms: 2_000, endsOnLoad: true }

function BookingDialog({ title, isOpen, onClose }: Props) {
  const { links } = useSiteContent()
  const address = links.booking || ownAddress('consultation')
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={title} isWide>
      {links.booking ? (
        <OutsideEmbed address={links.booking} title="Booking calendar" height={600} overlay={overlay} />
      ) : (
        <OwnCalendar kind="consultation" title="Booking calendar" height={600} overlay={overlay} />
      )}
      <div>
        <ButtonAnchor look="line" icon="ext" href={address} target="_blank" rel="noreferrer">
          Open the calendar in a new tab
        </ButtonAnchor>
      </div>
    </Dialog>
  )
}

export default BookingDialog
