import { useSiteContent } from '#pwa/lib/site-content.tsx'
import { BoldText } from '#pwa/ui/bold.tsx'
import { Icon } from '#pwa/ui/icon.tsx'
import { Slip } from '#pwa/ui/slip.tsx'
import { Stamp } from '#pwa/ui/stamp.tsx'
import { formatLongDate } from '#shared/rules/london.ts'
import { formatPoundsAndPence, type Price } from '#shared/rules/money.ts'

export type ShownPlan = { name: string; features: readonly string[] }

type Props = {
  plan: ShownPlan
  price: Price
  /** A day; known once the provider waits for the first payment. */
  nextPaymentOn?: string | undefined
}

/** What is bought: net, VAT, what is taken today, and when the next payment is. */
export const PlanSlip = ({ plan, price, nextPaymentOn }: Props) => {
  const { claims, prices } = useSiteContent()
  const after = nextPaymentOn
    ? [{ label: `Next payment, ${formatLongDate(nextPaymentOn)}`, value: formatPoundsAndPence(price.total) }]
    : []
  return (
    <aside className="pay__sum" aria-label="Plan summary">
      <Slip
        title="Plan summary"
        stamp={<Stamp>Selected</Stamp>}
        net={price.net}
        vat={price.vat}
        total={price.total}
        netLabel={`${plan.name}, per month`}
        totalLabel="Total today"
        after={after}
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
