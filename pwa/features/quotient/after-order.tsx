import { ButtonLink } from '#pwa/ui/button.tsx'
import { TextAnchor } from '#pwa/ui/link.tsx'
import { StepList } from '#pwa/ui/list.tsx'
import type { QuotientText } from '#shared/contract/texts/quotient.ts'

/** What happens after a paid order. */
export const NextSteps = ({ text: { success } }: { text: QuotientText }) => (
  <section aria-labelledby="next" className="purchase__part">
    <h2 className="purchase__second" id="next">
      What happens next
    </h2>
    <StepList>
      {success.steps.map(({ title, text }) => (
        <li key={title}>
          <h3>{title}</h3>
          <p>{text}</p>
        </li>
      ))}
    </StepList>
  </section>
)

/** Who to ask about an order, and how soon he answers. */
export function Help({ text: { success } }: { text: QuotientText }) {
  const { email, phone, response, hours } = success.help
  return (
    <section aria-labelledby="help" className="sheet checkout__help">
      <h2 className="purchase__second" id="help">
        Need a hand?
      </h2>
      <dl>
        <div>
          <dt className="label">Email</dt>
          <dd>
            <TextAnchor isTap href={`mailto:${email}`}>
              {email}
            </TextAnchor>
          </dd>
        </div>
        <div>
          <dt className="label">Phone</dt>
          <dd>
            <TextAnchor isTap href={`tel:${phone.replace(/[^\d+]/g, '')}`}>
              {phone}
            </TextAnchor>
          </dd>
        </div>
        <div>
          <dt className="label">Response time</dt>
          <dd>
            {response}, in business hours {hours}
          </dd>
        </div>
      </dl>
    </section>
  )
}

export const WaysBack = () => (
  <p className="purchase__ways">
    <ButtonLink to="/quotient" look="line">
      Back to Quotient
    </ButtonLink>
    <ButtonLink to="/" look="line">
      Back to home
    </ButtonLink>
  </p>
)
