import { useSiteContent } from '#pwa/lib/site-content.tsx'
import { TextAnchor } from '#pwa/ui/link.tsx'
import type { QuotientText } from '#shared/contract/texts/quotient.ts'

type Props = { quotient: QuotientText['success']['help'] }

/** In the place of a page that only the browser can draw, for somebody whose browser runs no scripts: the way on without. */
export function WithoutScripts({ quotient: { email, phone } }: Props) {
  const { coaches } = useSiteContent()
  return (
    <noscript>
      <section className="page-section">
        <div className="wrap">
          <p className="page-section__no">No JavaScript</p>
          <div className="page-section__head">
            <h1>This page needs JavaScript</h1>
            <p className="lead">
              Switch it on in your browser’s settings and load the page again. Nothing has been sent and nothing is
              taken.
            </p>
            <p>
              To join, to pay, or to come back without it, write to one of the coaches:{' '}
              {coaches.map(({ email: address }, place) => (
                <span key={address}>
                  {place > 0 && ' or '}
                  <TextAnchor href={`mailto:${address}`}>{address}</TextAnchor>
                </span>
              ))}
              . For a Quotient setup, write to <TextAnchor href={`mailto:${email}`}>{email}</TextAnchor> or ring{' '}
              <TextAnchor href={`tel:${phone.replace(/[^\d+]/g, '')}`}>{phone}</TextAnchor>.
            </p>
            <p className="second">The public pages work without it.</p>
          </div>
        </div>
      </section>
    </noscript>
  )
}
