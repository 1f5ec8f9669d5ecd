import { Icon } from '#pwa/ui/icon.tsx'
import { Slip } from '#pwa/ui/slip.tsx'
import { useMedia } from '#pwa/ui/use-media.ts'
import { formatPoundsAndPence } from '#shared/rules/money.ts'
import { type ChosenTier as Chosen, chosenPrice, everyText } from '#shared/rules/tier-prices.ts'
import { useJoinTiers } from './use-join-tiers.ts'

/** The tier chosen on another page, with its price: next to the form on a desktop, folded above it on a phone. */
export function ChosenTier({ chosen }: { chosen: Chosen }) {
  const isWide = useMedia('(min-width: 64rem)')
  const tier = useJoinTiers().tiers.find(({ slug }) => slug === chosen.slug)
  const price = tier && chosenPrice(tier, chosen)
  if (!price) return null
  const { net, vat, total, every } = price
  return (
    <aside className="join__chosen" aria-label="Your tier">
      <details open={isWide}>
        <summary>
          <span>{tier.name}</span>{' '}
          <b>
            {formatPoundsAndPence(total)} {everyText(every)}
          </b>
          <Icon name="chev" />
        </summary>
        <Slip
          title="Your tier"
          totalLabel={`Total per ${every}`}
          netLabel={`${tier.name}, per ${every}`}
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
