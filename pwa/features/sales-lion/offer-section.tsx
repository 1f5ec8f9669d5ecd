import { lazy, Suspense } from 'react'
import { useSiteContent } from '#pwa/lib/site-content.tsx'
import { Button, ButtonAnchor, type ButtonProps } from '#pwa/ui/button.tsx'
import { TextAnchor, TextLink } from '#pwa/ui/link.tsx'
import { useOpenedOnce } from '#pwa/ui/use-opened-once.ts'
import type { SalesLionText } from '#shared/contract/texts/sales-lion.ts'

/** The claims, the prices and the payment, and the service reminder that is sold without the rest. */
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
          <TextLink isTap to="/contact" search={{ subject: reminder.button }}>
            Send a message
          </TextLink>
        </p>
      )}
    </div>
  )
}

const FrameDialog = lazy(() => import('./frame-dialog.tsx'))

type Props = Pick<ButtonProps, 'look' | 'icon'> & {
  text: SalesLionText['call']
  /** Empty when it is not configured. */
  address: string
  /** Our own calendar stands in its place. */
  isOwnCalendar?: boolean
  notSetUp: string
}

/** A button that opens a page of the sales platform in a dialog. */
export const FrameButton = ({ text, address, isOwnCalendar = false, notSetUp, ...face }: Props) => {
  const { isOpen, wasOpened, open, close } = useOpenedOnce()
  return (
    <>
      <Button {...face} second={text.second} onClick={open} aria-haspopup="dialog">
        {text.button}
      </Button>
      {address && (
        <noscript>
          <TextAnchor href={address}>{text.title}</TextAnchor>
        </noscript>
      )}
      {wasOpened && (
        <Suspense>
          <FrameDialog title={text.title} {...{ address, isOwnCalendar, notSetUp, isOpen }} onClose={close} />
        </Suspense>
      )}
    </>
  )
}
