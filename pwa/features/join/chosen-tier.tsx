import { useTiers } from '#pwa/features/tiers/use-tiers.ts'
import { Icon } from '#pwa/ui/icon.tsx'
import { Slip } from '#pwa/ui/slip.tsx'
import { useMedia } from '#pwa/ui/use-media.ts'
import type { TierSlug } from '#shared/contract/tier.ts'
import { formatPoundsAndPence, withVat } from '#shared/rules/money.ts'

/** The tier chosen on another page, with its price: next to the form on a desktop, folded above it on a phone. */
export function ChosenTier({ slug }: { slug: TierSlug }) {
  const isWide = useMedia('(min-width: 64rem)')
  const tier = useTiers().tiers.find((one) => one.slug === slug)
  if (!tier) return null
  const { net, vat, total } = withVat(tier.price)
  return (
    <aside className="join__chosen" aria-label="Your tier">
      <details open={isWide}>
        <summary>
          <span>{tier.name}</span> <b>{formatPoundsAndPence(total)} a month</b>
          <Icon name="chev" />
        </summary>
        <Slip
          title="Your tier"
          totalLabel="Total per month"
          netLabel={`${tier.name}, per month`}
          net={net}
          vat={vat}
          total={total}
        >
          <p className="second">You can still change it at the next step.</p>
        </Slip>
      </details>
    </aside>
  )
}
