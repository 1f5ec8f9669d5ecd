import { ConfirmDialog } from '#pwa/features/admin/kit/forms/confirm-dialog.tsx'
import { useAdminAction } from '#pwa/features/admin/kit/use-admin-action.ts'
import { api } from '#pwa/lib/api.ts'
import { AdminTier, type AdminTierPrice, type NextPrice } from '#shared/contract/admin-tier.ts'
import { nextPriceText } from '#shared/rules/price-move.ts'
import { exactPriceText } from '#shared/rules/tier-prices.ts'

type Props = { tier: AdminTier; price: AdminTierPrice; nextPrice: NextPrice; onClose: () => void }

export function CancelPriceDialog({ tier: { slug, name }, price, nextPrice, onClose }: Props) {
  const now = exactPriceText(price)
  const action = useAdminAction({
    schema: AdminTier,
    send: () => api.api.admin.tiers({ tier: slug }).price.delete({ every: price.every, ...nextPrice }),
    failure: 'We couldn’t cancel the price.',
    done: { title: 'New price cancelled', description: `${name} stays at ${now}.` },
    onDone: onClose,
  })
  return (
    <ConfirmDialog
      title={`Cancel ${name} at ${nextPriceText(nextPrice, price.every)}?`}
      button="Cancel this price"
      busy="Cancelling…"
      action={action}
      onClose={onClose}
      onConfirm={() => action.mutate()}
    >
      <p>{price.isOffered ? `New members keep paying ${now}.` : 'It won’t go on sale.'}</p>
    </ConfirmDialog>
  )
}
