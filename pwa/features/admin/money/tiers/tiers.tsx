import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Column } from '#pwa/features/admin/kit/list/list-table.tsx'
import { ShortList } from '#pwa/features/admin/kit/list/short-list.tsx'
import { adminTiersQuery } from '#pwa/features/admin/kit/tiers/queries.ts'
import { Badge } from '#pwa/ui/badge.tsx'
import { Button } from '#pwa/ui/button.tsx'
import type { AdminTier } from '#shared/contract/admin-tier.ts'
import type { TierSlug } from '#shared/contract/tier.ts'
import { plural } from '#shared/rules/plural.ts'
import { nextPriceText } from '#shared/rules/price-move.ts'
import { CancelPriceDialog } from './cancel-price-dialog.tsx'
import { PriceDialog } from './price-dialog.tsx'
import { TierFormDialog } from './tier-form.tsx'
import { monthlyText, visibilityLabels } from './tier-texts.ts'
import './tiers.css'

type Open = { dialog: 'text' | 'price' | 'cancel'; slug: TierSlug } | null

const movingText = ({ moving }: AdminTier) => moving > 0 && `${plural(moving, 'price change')} to come`

const columns: readonly Column<AdminTier>[] = [
  {
    label: 'Tier',
    kind: 'who',
    cell: ({ name, description }) => (
      <>
        {name}
        <small>{description}</small>
      </>
    ),
    text: ({ name, description }) => `${name}: ${description}`,
  },
  {
    label: 'Shown',
    cell: ({ visibility }) => (
      <Badge tone={visibility === 'hidden' ? 'wait' : 'ok'}>{visibilityLabels[visibility]}</Badge>
    ),
    text: ({ visibility }) => visibilityLabels[visibility],
  },
  {
    label: 'Members',
    kind: 'number',
    cell: (tier) => (
      <span>
        {tier.members}
        {movingText(tier) && <small> {movingText(tier)}</small>}
      </span>
    ),
    text: (tier) => [tier.members, movingText(tier)].filter((part) => part !== false).join(', '),
  },
  {
    label: 'Price a month',
    kind: 'number',
    cell: ({ price, nextPrice }) => (
      <span>
        {monthlyText(price)}
        {nextPrice && (
          <>
            <br />
            <small>{nextPriceText(nextPrice)}</small>
          </>
        )}
      </span>
    ),
    text: ({ price, nextPrice }) => [monthlyText(price), ...(nextPrice ? [nextPriceText(nextPrice)] : [])].join(', '),
  },
]

export default function TiersSection() {
  const query = useQuery(adminTiersQuery)
  const [open, setOpen] = useState<Open>(null)
  const tier = query.data?.find(({ slug }) => slug === open?.slug)
  const close = () => setOpen(null)
  return (
    <>
      <ShortList
        title="Tiers"
        name="tiers"
        query={query}
        columns={columns}
        idOf={({ slug }) => slug}
        note="New members pay a new price from today, or from a day you pick. Existing members keep theirs until you move them, with at least 30 days’ notice by email. Everything else you change goes live straight away."
        actions={({ name, slug, nextPrice }) => (
          <>
            <Button
              look="line"
              isSmall
              aria-haspopup="dialog"
              aria-label={`Edit ${name}`}
              onClick={() => setOpen({ dialog: 'text', slug })}
            >
              Edit
            </Button>
            <Button
              look="line"
              isSmall
              aria-haspopup="dialog"
              aria-label={`Change price of ${name}`}
              onClick={() => setOpen({ dialog: 'price', slug })}
            >
              Change price
            </Button>
            {nextPrice && (
              <Button
                look="line"
                isSmall
                aria-haspopup="dialog"
                aria-label={`Cancel the new price of ${name}`}
                onClick={() => setOpen({ dialog: 'cancel', slug })}
              >
                Cancel new price
              </Button>
            )}
          </>
        )}
      />
      {tier && open?.dialog === 'text' && <TierFormDialog tier={tier} onClose={close} />}
      {tier && open?.dialog === 'price' && <PriceDialog tier={tier} onClose={close} />}
      {tier?.nextPrice && open?.dialog === 'cancel' && (
        <CancelPriceDialog tier={tier} nextPrice={tier.nextPrice} onClose={close} />
      )}
    </>
  )
}
