import { TickList } from '#pwa/ui/list.tsx'
import { Slip } from '#pwa/ui/slip.tsx'
import type { QuotientOffer } from '#shared/contract/texts/quotient.ts'
import type { Price } from '#shared/rules/money.ts'

type Props = { offer: QuotientOffer; price: Price /** Leaves out on a phone what is in it. */; isShort?: boolean }

/** What is bought: net, VAT, what is taken once, and what is in it. */
export const PackageSlip = ({ offer: { name, features }, price, isShort = false }: Props) => (
  <aside className="pay__sum" aria-label="Package summary">
    <Slip title={name} netLabel="Setup, once" totalLabel="Total, once" {...price}>
      <div className={isShort ? 'checkout__short' : undefined}>
        <TickList items={features} />
      </div>
    </Slip>
  </aside>
)
