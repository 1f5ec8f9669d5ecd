import { lazy, Suspense } from 'react'
import { loadFile } from '#pwa/lib/load-file.ts'
import { useSiteContent } from '#pwa/lib/site-content.tsx'
import { Button, ButtonAnchor, ButtonLink, type ButtonProps } from '#pwa/ui/button.tsx'
import { TextAnchor } from '#pwa/ui/link.tsx'
import { useOpenedOnce } from '#pwa/ui/use-opened-once.ts'
import type { SalesLionText } from '#shared/contract/texts/sales-lion.ts'

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
          <EmbedButton text={text.payment} address={salesPayment} icon="arrow" />
          {salesPricing && <EmbedButton text={text.pricing} address={salesPricing} look="line" />}
        </div>
      </div>
      <Reminder reminder={text.reminder} />
    </div>
  )
}

const Reminder = ({ reminder }: Pick<SalesLionText, 'reminder'>) => {
  const { salesReminder } = useSiteContent().links
  if (!salesReminder) return null
  return (
    <div className="sheet sheet--pad padded stack">
      <h3>{reminder.heading}</h3>
      <p>{reminder.text}</p>
      <ButtonAnchor look="line" icon="ext" href={salesReminder} target="_blank" rel="noreferrer">
        {reminder.button}
      </ButtonAnchor>
    </div>
  )
}

const EmbedDialog = lazy(() => loadFile(() => import('./embed-dialog.tsx')))

type Props = Pick<ButtonProps, 'look' | 'icon'> & {
  text: SalesLionText['call']
  /** Empty if it isn't configured. */
  address: string
  /** Our own calendar replaces it. */
  isOwnCalendar?: boolean
}

/** A button that opens a page of the sales platform in a dialog. Without an address it leads to the contact form. */
export const EmbedButton = ({ text, address, isOwnCalendar = false, ...face }: Props) => {
  const { isOpen, wasOpened, open, close } = useOpenedOnce()
  if (!address && !isOwnCalendar) {
    return (
      <ButtonLink {...face} second={text.second} to="/contact" search={{ subject: text.title }}>
        {text.button}
      </ButtonLink>
    )
  }
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
          <EmbedDialog title={text.title} address={address} isOpen={isOpen} onClose={close} />
        </Suspense>
      )}
    </>
  )
}
