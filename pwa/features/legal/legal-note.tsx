import { useSiteContent } from '#pwa/lib/site-content.tsx'
import { formatLongDate } from '#shared/rules/london.ts'

/** Next to a tick or a payment: what it agrees to. Opens in another tab, so that the form stays as it is. */
export function LegalNote() {
  const { terms } = useSiteContent()
  return (
    <p className="second">
      <LegalLink path="/terms">The terms</LegalLink>, as of {formatLongDate(terms.slice(0, 10))}.{' '}
      <LegalLink path="/cancellation">Changing your mind</LegalLink>.{' '}
      <LegalLink path="/privacy">How we use your data</LegalLink>.
    </p>
  )
}

const LegalLink = ({ path, children }: { path: string; children: string }) => (
  <a className="link" href={path} target="_blank" rel="noreferrer">
    {children}
  </a>
)
