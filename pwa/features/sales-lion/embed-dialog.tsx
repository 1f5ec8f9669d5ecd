import { OwnCalendar, ownAddress } from '#pwa/features/calendar/own-calendar.tsx'
import { Dialog } from '#pwa/ui/dialog.tsx'
import { TextAnchor } from '#pwa/ui/link.tsx'
import { OutsideEmbed } from '#pwa/ui/outside-embed.tsx'

type Props = {
  title: string
  address: string
  isOpen: boolean
  onClose: () => void
}

const overlay = { words: 'Loading…', ms: 2_000, endsOnLoad: true }
const direct = 'Open it in a new tab'

const EmbedDialog = ({ title, address, isOpen, onClose }: Props) => (
  <Dialog isOpen={isOpen} onClose={onClose} title={title} isWide>
    {address ? (
      <OutsideEmbed address={address} title={title} overlay={overlay} direct={direct} height={600} />
    ) : (
      <div className="outside">
        <OwnCalendar title={title} overlay={overlay} kind="sales" height={600} />
        <TextAnchor isTap href={ownAddress('sales')} target="_blank" rel="noreferrer">
          {direct}
        </TextAnchor>
      </div>
    )}
  </Dialog>
)

export default EmbedDialog
