import { ConfirmDialog } from '#pwa/features/admin/kit/forms/confirm-dialog.tsx'
import { useAdminAction } from '#pwa/features/admin/kit/use-admin-action.ts'
import { api } from '#pwa/lib/api.ts'
import { AdminTier, type NextPrice } from '#shared/contract/admin-tier.ts'
import { nextPriceText } from '#shared/rules/price-move.ts'
import { monthlyText } from './tier-texts.ts'

type Props = { tier: AdminTier; nextPrice: NextPrice; onClose: () => void }

export function CancelPriceDialog({ tier: { slug, name, price }, nextPrice, onClose }: Props) {
  const action = useAdminAction({
    schema: AdminTier,
    send: () => api.api.admin.tiers({ tier: slug }).price.delete({ every: 'month', ...nextPrice }),
    failure: 'We couldn’t cancel the price.',
    done: { title: 'New price cancelled', description: `${name} stays at ${monthlyText(price)}.` },
    onDone: onClose,
  })
  return (
    <ConfirmDialog
      title={`Cancel ${name} at ${nextPriceText(nextPrice)}?`}
      button="Cancel this price"
      busy="Cancelling…"
      action={action}
      onClose={onClose}
      onConfirm={() => action.mutate()}
    >
      <p>New members keep paying {monthlyText(price)}.</p>
    </ConfirmDialog>
  )
}
