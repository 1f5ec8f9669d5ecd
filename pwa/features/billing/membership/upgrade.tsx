import { nextPaymentDay } from '#pwa/features/billing/billing-texts.ts'
import { useBillingContext } from '#pwa/features/billing/use-billing-context.tsx'
import { messageOf, RequestError } from '#pwa/lib/request-error.ts'
import { Button } from '#pwa/ui/button.tsx'
import { RadioCard, RadioCards } from '#pwa/ui/radio-card.tsx'
import { Slip } from '#pwa/ui/slip.tsx'
import type { BillingSubscription, NextPayment } from '#shared/contract/billing.ts'
import type { OfferedPrice } from '#shared/contract/tier.ts'
import type { UpgradePreview } from '#shared/contract/upgrade.ts'
import { formatLongDate } from '#shared/rules/london.ts'
import { formatPounds, formatPoundsAndPence } from '#shared/rules/money.ts'
import { capitalised, everyOfPeriod, everyText } from '#shared/rules/tier-prices.ts'
import type { Upgrade } from './use-upgrade.ts'

export type Start = 'next-bill' | 'today'

type Props = {
  price: OfferedPrice
  /** What Stripe would take with the change; null until we know. */
  next: NextPayment | null
  upgrade: Upgrade
  start: Start
  onChoose: (start: Start) => void
}

/** Today next to the next bill, each with what we charge when; or why today isn't possible. */
export function StartChoice({ price, next, upgrade: { preview }, start, onChoose }: Props) {
  const { billing, hasSignal } = useBillingContext()
  const day = next?.on ?? nextPaymentDay(billing)
  return (
    <>
      <RadioCards label="When it starts">
        <RadioCard
          name="start"
          value="next-bill"
          title="With your next payment"
          second={day ? `On ${formatLongDate(day)}` : undefined}
          figure={
            next ? (
              <Figure amount={toPay(next)} note="then" />
            ) : (
              <Figure amount={formatPounds(price.net)} note={`+ VAT ${everyText(price.every)}`} />
            )
          }
          checked={start === 'next-bill'}
          onChange={() => onChoose('next-bill')}
        />
        <RadioCard
          name="start"
          value="today"
          title="Today"
          second={hasSignal ? todayText(preview, restText(billing, price)) : 'Needs signal'}
          figure={preview.data && <Figure amount={toPay(preview.data)} note="now" />}
          checked={start === 'today'}
          disabled={!preview.data}
          onChange={() => onChoose('today')}
        />
      </RadioCards>
      {preview.error && canRetry(preview.error) && (
        <Button look="line" isSmall icon="sync" isBusy={preview.isFetching} onClick={() => preview.refetch()}>
          Retry
        </Button>
      )}
      {start === 'today' && preview.data && <UpgradeCosts preview={preview.data} />}
    </>
  )
}

/** Asking again doesn't remove a reason. */
const canRetry = (error: Error) => !(error instanceof RequestError && error.code === 'conflict')

/** From a month to a year, a year begins today. Otherwise the period that runs goes on. */
const restText = ({ plan }: BillingSubscription, { every }: OfferedPrice) =>
  plan !== null && everyOfPeriod(plan) === every
    ? `The rest of this ${every}, less what you’ve paid`
    : `${capitalised(everyText(every))} from today, less what’s left of what you’ve paid`

function todayText({ data, error }: Upgrade['preview'], rest: string): string {
  if (error) return messageOf(error, 'We couldn’t work out today’s price.')
  return data ? rest : 'Working out what it costs…'
}

const Figure = ({ amount, note }: { amount: string; note: string }) => (
  <span className="billing__price">
    <b>{amount}</b> <span className="second">{note}</span>
  </span>
)

const toPay = ({ due }: { due: number }, nothing = 'Nothing') => (due > 0 ? formatPoundsAndPence(due) : nothing)

const UpgradeCosts = ({ preview: { net, vat, vatRate, total, nextBill, ...today } }: { preview: UpgradePreview }) => (
  <Slip
    className="billing__upgrade"
    title="Today"
    net={net}
    vat={vat}
    vatRate={vatRate}
    total={total}
    totalLabel={today.due === total ? 'To pay today' : 'Total'}
    after={[
      ...balanceLines(total, today),
      { label: `Next payment, ${formatLongDate(nextBill.on)}`, value: toPay(nextBill, 'Nothing to pay') },
    ]}
  />
)

function balanceLines(total: number, { due, fromCredit }: Pick<UpgradePreview, 'due' | 'fromCredit'>) {
  if (due === total) return []
  const balance =
    fromCredit > 0 ? (['From your credit', 0 - fromCredit] as const) : (['Owed from before', due - total] as const)
  const lines = [balance, ['To pay today', due] as const]
  return lines.map(([label, amount]) => ({ label, value: formatPoundsAndPence(amount) }))
}
