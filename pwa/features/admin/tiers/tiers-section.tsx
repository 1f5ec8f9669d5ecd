import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ListState } from '#pwa/features/admin/list/list-section.tsx'
import { Badge } from '#pwa/ui/badge.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { Skeleton } from '#pwa/ui/skeleton.tsx'
import { Cell, Row, Table } from '#pwa/ui/table.tsx'
import type { AdminTier } from '#shared/contract/admin-tier.ts'
import type { TierSlug } from '#shared/contract/tier.ts'
import { plural } from '#shared/rules/plural.ts'
import { PriceDialog } from './price-dialog.tsx'
import { adminTiersQuery } from './queries.ts'
import { TierFormDialog } from './tier-form.tsx'
import { monthlyText, visibilityLabels } from './tier-texts.ts'
import '#pwa/features/admin/list/list.css'
import './tiers.css'

type Open = { dialog: 'text' | 'price'; slug: TierSlug } | null

/** What is sold, to whom it is shown, and what it costs. */
export default function TiersSection() {
  const { data: tiers, error, dataUpdatedAt, isFetching, refetch } = useQuery(adminTiersQuery)
  const [open, setOpen] = useState<Open>(null)
  const tier = tiers?.find(({ slug }) => slug === open?.slug)
  const close = () => setOpen(null)
  return (
    <>
      <div className="panel__top">
        <h2>Tiers</h2>
      </div>
      <p className="panel__note">
        What you change here is on the site and the join page at once. A new price is for new members; existing members
        keep theirs until you move them, with at least 30 days’ notice by mail.
      </p>
      <ListState {...{ error, dataUpdatedAt, isFetching, refetch }} />
      {tiers ? <Tiers tiers={tiers} onOpen={setOpen} /> : error === null && <Skeleton size="block" />}
      {tier && open?.dialog === 'text' && <TierFormDialog tier={tier} onClose={close} />}
      {tier && open?.dialog === 'price' && <PriceDialog tier={tier} onClose={close} />}
    </>
  )
}

type TiersProps = { tiers: readonly AdminTier[]; onOpen: (open: Open) => void }

const Tiers = ({ tiers, onOpen }: TiersProps) => (
  <Table caption="Tiers" isStacked>
    <thead>
      <tr>
        <th scope="col">Tier</th>
        <th scope="col">Shown</th>
        <th scope="col" className="n">
          Members
        </th>
        <th scope="col" className="n">
          Price a month
        </th>
        <th scope="col" className="n">
          Actions
        </th>
      </tr>
    </thead>
    <tbody>
      {tiers.map((tier) => (
        <TierRow key={tier.slug} tier={tier} onOpen={(dialog) => onOpen({ dialog, slug: tier.slug })} />
      ))}
    </tbody>
  </Table>
)

const TierRow = ({ tier, onOpen }: { tier: AdminTier; onOpen: (dialog: 'text' | 'price') => void }) => (
  <Row>
    <Cell kind="who">
      {tier.name}
      <small>{tier.description}</small>
    </Cell>
    <Cell label="Shown">
      <Badge tone={tier.visibility === 'hidden' ? 'wait' : 'ok'}>{visibilityLabels[tier.visibility]}</Badge>
    </Cell>
    <Cell kind="number" label="Members">
      <span>
        {tier.members}
        {tier.moving > 0 && <small> {plural(tier.moving, 'price change')} to come</small>}
      </span>
    </Cell>
    <Cell kind="number" label="Price a month">
      {monthlyText(tier.price)}
    </Cell>
    <Cell>
      <div className="acts tiers__acts">
        <Button look="line" isSmall aria-label={`Edit ${tier.name}`} onClick={() => onOpen('text')}>
          Edit
        </Button>
        <Button look="line" isSmall aria-label={`Price of ${tier.name}`} onClick={() => onOpen('price')}>
          Price
        </Button>
      </div>
    </Cell>
  </Row>
)
