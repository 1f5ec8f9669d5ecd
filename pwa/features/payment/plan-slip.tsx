import { useSiteContent } from '#pwa/lib/site-content.tsx'
import { BoldText } from '#pwa/ui/bold.tsx'
import { Icon } from '#pwa/ui/icon.tsx'
import { Slip } from '#pwa/ui/slip.tsx'
import { Stamp } from '#pwa/ui/stamp.tsx'
import { formatLongDate, londonDay } from '#shared/rules/london.ts'
import { formatPoundsAndPence, type Price } from '#shared/rules/money.ts'
import { nextPaymentDay } from './next-payment-day.ts'

export type ShownPlan = { name: string; features: readonly string[] }

type Props = { plan: ShownPlan; price: Price }

/** What is bought: net, VAT, what is taken today, and when the next payment is. */
export const PlanSlip = ({ plan, price }: Props) => {
  const { claims, prices } = useSiteContent()
  const next = formatLongDate(nextPaymentDay(londonDay(new Date())))
  return (
    <aside className="pay__sum" aria-label="Plan summary">
      <Slip
        title="Plan summary"
        stamp={<Stamp>Selected</Stamp>}
        {...price}
        netLabel={`${plan.name}, per month`}
        totalLabel="Total today"
        after={[{ label: `Next payment, ${next}`, value: formatPoundsAndPence(price.total) }]}
      >
        <ul className="pay__features">
          {plan.features.map((feature) => (
            <li key={feature}>
              <Icon name="tick" />
              <span>
                <BoldText text={feature} />
              </span>
            </li>
          ))}
        </ul>
      </Slip>
      <div className="pay__notes">
        {claims.guarantee.isOn && (
          <p>
            <b>{prices.guarantee}</b>
          </p>
        )}
        <p className="second">{prices.terms}</p>
      </div>
    </aside>
  )
}
