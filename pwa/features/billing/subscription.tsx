import type { ReactNode } from 'react'
import { Badge, type BadgeTone } from '#pwa/ui/badge.tsx'
import { Slip } from '#pwa/ui/slip.tsx'
import type { BillingSubscription, Plan } from '#shared/contract/billing.ts'
import { formatClock, formatLongDate, londonDay } from '#shared/rules/london.ts'
import { formatPoundsAndPence, withVat } from '#shared/rules/money.ts'
import { everyPeriod, formatPlanPrice } from '#shared/rules/price-words.ts'
import { stateAction, stateLine } from '#shared/rules/state-line.ts'
import { sectionId } from './use-section-focus.ts'
import './billing.css'

/** Shown if the member pays but the response has no tier price. */
const fallbackPrice = { name: 'Membership', ...withVat(25_000) }

type Price = Pick<Plan, 'name' | 'net' | 'vat' | 'vatRate' | 'total' | 'months' | 'days'>

type Props = {
  billing: BillingSubscription
  asOf?: number | null
  action?: ReactNode
  children?: ReactNode
}

export function SubscriptionPanel({ billing, asOf = null, action, children }: Props) {
  const isRunning = billing.status === 'active' || billing.status === 'trialing'
  const price = billing.plan ?? (isRunning && !billing.isOwner ? fallbackPrice : null)
  const isPaying = !isRunning && stateAction(billing)?.kind === 'pay'
  return (
    <div className="sheet billing">
      <h2 className="panel__title">Billing</h2>
      <div className="billing__status" id={sectionId('status')} tabIndex={-1}>
        <p className="billing__line">{stateLine(billing)}</p>
        <p>
          <span className="label">Subscription</span>{' '}
          <Badge tone={badgeTone(billing)} icon={isRunning ? 'tick' : undefined}>
            {billing.label}
          </Badge>
        </p>
      </div>
      {asOf !== null && (
        <p className="second">
          {`As of ${formatLongDate(new Date(asOf))}, ${formatClock(new Date(asOf))}, when you last had signal.`}
        </p>
      )}
      {action}
      <div className="billing__now">
        {price && !billing.isComplimentary && !isPaying && (
          <PlanPrice price={price} billing={billing} isRunning={isRunning} />
        )}
        {price && isPaying && (
          <p>
            Your plan: {price.name}, {formatPlanPrice(price)}.
          </p>
        )}
        {children}
      </div>
    </div>
  )
}

const badgeTone = ({ status, isOwner }: BillingSubscription): BadgeTone =>
  status === 'active' || status === 'trialing' ? 'ok' : status === 'none' || isOwner ? 'plain' : 'bad'

const hasEnded = ({ status }: BillingSubscription) => status === 'canceled' || status === 'incomplete_expired'

type PriceProps = { price: Price; billing: BillingSubscription; isRunning: boolean }

const PlanPrice = ({ price, billing, isRunning }: PriceProps) => (
  <Slip
    className="billing__plan"
    title={hasEnded(billing) ? `Last plan: ${price.name}` : price.name}
    net={price.net}
    vat={price.vat}
    vatRate={price.vatRate}
    total={price.total}
    netLabel={`Plan, ${formatPlanPrice(price)}`}
    totalLabel={`Total ${everyPeriod(price)}`}
    after={isRunning ? datesOf(billing) : []}
  />
)

const datesOf = ({ next_billing_date, endsOn, nextPayment }: BillingSubscription) => [
  {
    label: 'Next billing date',
    value: next_billing_date === null ? 'N/A' : formatLongDate(londonDay(new Date(next_billing_date * 1000))),
  },
  ...(nextPayment?.others ?? []).map(({ description, total }) => ({
    label: `Added: ${description}`,
    value: formatPoundsAndPence(total),
  })),
  ...(nextPayment?.others ? [{ label: 'Next payment', value: formatPoundsAndPence(nextPayment.due) }] : []),
  ...(endsOn ? [{ label: 'Ends on', value: formatLongDate(endsOn) }] : []),
]
