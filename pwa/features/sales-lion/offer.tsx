import { useSiteContent } from '#pwa/lib/site-content.tsx'
import { ButtonAnchor } from '#pwa/ui/button.tsx'
import { TextLink } from '#pwa/ui/link.tsx'
import type { SalesLionText } from '#shared/contract/texts/sales-lion.ts'
import { FrameButton } from './frame-button.tsx'

/** Buying: what is promised, prices, payment; and the service reminder alone. */
export const Offer = ({ text }: { text: SalesLionText }) => {
  const { salesPricing, salesPayment } = useSiteContent().links
  const claims = [text.offer.access, text.offer.priceRise].filter(({ isOn }) => isOn)
  return (
    <div className="pair">
      <div className="stack">
        {claims.map(({ figure, label }) => (
          <p key={label} className="stack">
            <span className="fig">{figure}</span> <span className="lead">{label}</span>
          </p>
        ))}
        <div className="acts">
          <FrameButton text={text.payment} address={salesPayment} notSetUp={text.notSetUp} icon="arrow" />
          <FrameButton text={text.pricing} address={salesPricing} notSetUp={text.notSetUp} look="line" />
        </div>
      </div>
      <Reminder reminder={text.reminder} />
    </div>
  )
}

const Reminder = ({ reminder }: Pick<SalesLionText, 'reminder'>) => {
  const { salesReminder } = useSiteContent().links
  return (
    <div className="sheet sheet--pad padded stack">
      <h3>{reminder.heading}</h3>
      <p>{reminder.text}</p>
      {salesReminder ? (
        <ButtonAnchor look="line" icon="ext" href={salesReminder} target="_blank" rel="noreferrer">
          {reminder.button}
        </ButtonAnchor>
      ) : (
        <p>
          {reminder.notSetUp}{' '}
          <TextLink to="/contact" search={{ subject: reminder.button }}>
            Send a message
          </TextLink>
        </p>
      )}
    </div>
  )
}
