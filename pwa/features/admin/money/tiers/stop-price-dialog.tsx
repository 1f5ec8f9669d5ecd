import { ConfirmDialog } from '#pwa/features/admin/kit/forms/confirm-dialog.tsx'
import { useAdminAction } from '#pwa/features/admin/kit/use-admin-action.ts'
import { api } from '#pwa/lib/api.ts'
import { AdminTier, type AdminTierPrice } from '#shared/contract/admin-tier.ts'
import { plural } from '#shared/rules/plural.ts'
import { nextPriceText } from '#shared/rules/price-move.ts'
import { listText } from '#shared/rules/tier-consequences.ts'
import { exactPriceText } from '#shared/rules/tier-prices.ts'
import { FalseSentences } from './false-sentences.tsx'
import { offeredOf, waitingOf } from './tier-texts.ts'

type Props = { tier: AdminTier; price: AdminTierPrice; onClose: () => void }

/** A tier keeps one price at least, so this is for one of two. */
export function StopPriceDialog({ tier, price, onClose }: Props) {
  const { slug, name, version } = tier
  const { every, net, members } = price
  const action = useAdminAction({
    schema: AdminTier,
    send: () => api.api.admin.tiers({ tier: slug }).price.offer.delete({ every, version }),
    failure: 'We couldn’t stop the price.',
    done: { title: 'Price stopped', description: `${name} isn’t sold by the ${every} any more.` },
    onDone: onClose,
  })
  const others = offeredOf(tier).filter((one) => one.every !== every)
  const next = waitingOf(price)
  return (
    <ConfirmDialog
      title={`Stop selling ${name} by the ${every}?`}
      button="Stop this price"
      busy="Stopping…"
      action={action}
      onClose={onClose}
      onConfirm={() => action.mutate()}
    >
      <p>
        New members pay {listText(others.map(exactPriceText))}.{' '}
        {members === 0
          ? `No one pays ${exactPriceText({ net, every })}.`
          : `${plural(members, 'member')} on ${exactPriceText({ net, every })} ${members === 1 ? 'keeps' : 'keep'} it.`}
      </p>
      {next && <p>This also cancels the new price, {nextPriceText(next, price.every)}.</p>}
      <FalseSentences then={{ slug, every: others.map((one) => one.every) }} />
    </ConfirmDialog>
  )
}
