import { useSiteContent } from '#pwa/lib/site-content.tsx'
import { Icon } from '#pwa/ui/icon.tsx'
import { TextLink } from '#pwa/ui/link.tsx'
import { BoldText } from '#pwa/ui/list.tsx'
import { Slip } from '#pwa/ui/slip.tsx'
import { Stamp } from '#pwa/ui/stamp.tsx'
import type { PricePeriod } from '#shared/contract/tier.ts'
import { formatLongDate } from '#shared/rules/london.ts'
import { formatPoundsAndPence, type Price } from '#shared/rules/money.ts'

export type ShownPlan = { name: string; features: readonly string[] }

type Props = {
  plan: ShownPlan
  price: Price
  every?: PricePeriod
  /** A line for each payment we don't take today. */
  after: readonly { label: string; value: string }[]
  totalLabel?: string
  /** Shows at most this many features and says how many more there are, on a phone too. */
  maxFeatures?: number
}

/** The payment after the first one. We know its day once Stripe is waiting for the first. */
export const nextPaymentRows = (day: string | undefined, { total }: Price) =>
  day ? [{ label: `Next payment, ${formatLongDate(day)}`, value: formatPoundsAndPence(total) }] : []

export function PlanSummary({ plan, price, every = 'month', after, totalLabel = 'Total today', maxFeatures }: Props) {
  const { claims, prices, sellsToConsumers } = useSiteContent()
  const shown = plan.features.slice(0, maxFeatures)
  const more = plan.features.length - shown.length
  return (
    <aside className="pay__sum" aria-label="Plan summary">
      <Slip
        title="Plan summary"
        stamp={<Stamp>Selected</Stamp>}
        net={price.net}
        vat={price.vat}
        total={price.total}
        netLabel={`${plan.name}, per ${every}`}
        totalLabel={totalLabel}
        after={after}
      >
        <ul className={maxFeatures === undefined ? 'pay__features' : 'pay__features pay__features--few'}>
          {shown.map((feature) => (
            <li key={feature}>
              <Icon name="tick" />
              <span>
                <BoldText text={feature} />
              </span>
            </li>
          ))}
          {more > 0 && <li className="pay__more">And {more} more...</li>}
        </ul>
      </Slip>
      <div className="pay__notes">
        {claims.guarantee.isOn && (
          <p>
            <b>{prices.guarantee}</b>
          </p>
        )}
        <p className="second">{prices.terms}</p>
        {sellsToConsumers && (
          <p className="second">
            Changed your mind? As a consumer you’ve got 14 days to cancel, no reason needed:{' '}
            <TextLink to="/cancellation">how it works</TextLink>. By joining today you’re asking us to start straight
            away, before the 14 days are up.
          </p>
        )}
      </div>
    </aside>
  )
}
