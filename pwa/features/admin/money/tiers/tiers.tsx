import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { Column } from '#pwa/features/admin/kit/list/list-table.tsx'
import { RowMenu } from '#pwa/features/admin/kit/list/row-menu.tsx'
import { ShortList } from '#pwa/features/admin/kit/list/short-list.tsx'
import { adminTiersQuery } from '#pwa/features/admin/kit/tiers/queries.ts'
import { useAdminAction } from '#pwa/features/admin/kit/use-admin-action.ts'
import { api } from '#pwa/lib/api.ts'
import { Badge, type BadgeTone } from '#pwa/ui/badge.tsx'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { type AdminTier, AdminTierList, type AdminTierPrice } from '#shared/contract/admin-tier.ts'
import { type PricePeriod, pricePeriods, type TierSlug } from '#shared/contract/tier.ts'
import { plural } from '#shared/rules/plural.ts'
import { nextPriceText } from '#shared/rules/price-move.ts'
import { bookedLine, lineText } from '#shared/rules/tier-consequences.ts'
import { everyText, exactPriceText } from '#shared/rules/tier-prices.ts'
import { CancelPriceDialog } from './cancel-price-dialog.tsx'
import { FalseSentences } from './false-sentences.tsx'
import { PriceDialog } from './price-dialog.tsx'
import { StopPriceDialog } from './stop-price-dialog.tsx'
import { DefaultDialog, DeleteTierDialog, RestoreDialog, RetireDialog } from './tier-act-dialogs.tsx'
import { NewTierDialog, TierFormDialog } from './tier-form.tsx'
import { offeredOf, priceOf, waitingOf } from './tier-texts.ts'
import { PeopleLine } from './tier-uses.tsx'
import './tiers.css'

type TierDialog = 'text' | 'retire' | 'restore' | 'default' | 'delete'
type Open =
  | { dialog: 'new' }
  | { dialog: TierDialog; slug: TierSlug }
  | { dialog: 'price'; slug: TierSlug; every?: PricePeriod }
  | { dialog: 'cancel' | 'stop'; slug: TierSlug; every: PricePeriod }

/** A change that’s booked goes ahead though its tier is retired, so it’s named where owners look. */
const comingLines = ({ isActive, booked }: AdminTier) => (isActive ? [] : bookedLine(booked))

const movingText = ({ moving }: AdminTier) => moving > 0 && `${plural(moving, 'price change')} to come`

type Mark = { tone: BadgeTone; text: string }

function marksOf({ isActive, isShown, isByInvitation, isDefault }: AdminTier): Mark[] {
  const shown: Mark = !isActive
    ? { tone: 'wait', text: 'Retired' }
    : isShown
      ? { tone: 'ok', text: 'On the site' }
      : { tone: 'plain', text: 'By invitation only' }
  return [
    shown,
    ...(isDefault ? [{ tone: 'open', text: 'Default' } as const] : []),
    ...(isShown && isByInvitation ? [{ tone: 'plain', text: 'Marked “by invitation”' } as const] : []),
  ]
}

/** A price that isn’t offered is only of interest while somebody pays it. */
const pricesShown = ({ prices }: AdminTier) =>
  prices.filter(({ isOffered, members, nextPrice }) => isOffered || members > 0 || nextPrice)

function priceLines(price: AdminTierPrice): string[] {
  const { every, net, isOffered, members } = price
  const next = waitingOf(price)
  return [
    `${exactPriceText({ net, every })}${isOffered ? '' : ', no longer sold'}`,
    ...(members > 0 ? [`${plural(members, 'member')}`] : []),
    ...(next ? [nextPriceText(next, every)] : []),
  ]
}

function priceFileText(tier: AdminTier, every: PricePeriod): string {
  const price = pricesShown(tier).find((one) => one.every === every)
  if (price === undefined) return ''
  const next = waitingOf(price)
  return [
    `${exactPriceText({ net: price.net, every })}${price.isOffered ? '' : ', no longer sold'}`,
    ...(next ? [nextPriceText(next, every)] : []),
  ].join(', ')
}

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
    cell: (tier) => (
      <span className="badges">
        {marksOf(tier).map(({ tone, text }) => (
          <Badge key={text} tone={tone}>
            {text}
          </Badge>
        ))}
      </span>
    ),
    text: (tier) =>
      marksOf(tier)
        .map(({ text }) => text)
        .join(', '),
  },
  {
    label: 'Members',
    kind: 'number',
    cell: (tier) => (
      <span>
        {tier.members}
        {movingText(tier) && <small> {movingText(tier)}</small>}
        {comingLines(tier).map((line) => (
          <small key={line.text}>
            {' '}
            <PeopleLine {...line} />
          </small>
        ))}
      </span>
    ),
    text: (tier) =>
      [tier.members, movingText(tier), ...comingLines(tier).map(lineText)].filter((part) => part !== false).join(', '),
  },
  {
    label: 'Prices',
    kind: 'number',
    cell: (tier) => (
      <span className="tierprices">
        {pricesShown(tier).map((price) => {
          const [sum, ...more] = priceLines(price)
          return (
            <span key={price.id}>
              {sum}
              {more.map((line) => (
                <small key={line}>{line}</small>
              ))}
            </span>
          )
        })}
      </span>
    ),
    text: pricePeriods.map((every) => [`Price ${everyText(every)}`, (tier) => priceFileText(tier, every)]),
  },
]

export default function TiersSection() {
  const query = useQuery(adminTiersQuery)
  const [open, setOpen] = useState<Open | null>(null)
  const order = useOrder(query.data ?? [])
  return (
    <>
      <ShortList
        title="Tiers"
        name="tiers"
        query={query}
        columns={columns}
        idOf={({ slug }) => slug}
        note="New members pay a new price from today, or from a day you pick. Existing members keep theirs until you move them, with at least 30 days’ notice by email. Everything else you change goes live straight away."
        tools={
          <Button isSmall aria-haspopup="dialog" onClick={() => setOpen({ dialog: 'new' })}>
            Add a tier
          </Button>
        }
        before={
          <>
            <p className="vh" role="status">
              {order.said}
            </p>
            {order.problem && <Banner tone="bad" role="alert" title={order.problem} />}
            <FalseSentences />
          </>
        }
        actions={(tier) => <TierActions tier={tier} order={order} onOpen={setOpen} />}
      />
      {open && <OpenDialog open={open} tiers={query.data ?? []} onClose={() => setOpen(null)} />}
    </>
  )
}

/** Drawn in its new place while it’s being saved. Presses that come meanwhile are saved after it, in one go. */
function useOrder(tiers: AdminTier[]) {
  const queryClient = useQueryClient()
  const [said, setSaid] = useState('')
  const saved = useRef(tiers)
  const sending = useRef<readonly TierSlug[] | null>(null)
  const wanted = useRef<AdminTier[] | null>(null)
  const { queryKey } = adminTiersQuery
  const draw = (rows: AdminTier[]) => {
    // A list that’s on its way knows nothing of it.
    void queryClient.cancelQueries({ queryKey }, { revert: false })
    queryClient.setQueryData(queryKey, rows)
  }
  const action = useAdminAction({
    schema: AdminTierList,
    send: (slugs: readonly TierSlug[]) => api.api.admin['tier-order'].put({ slugs: [...slugs] }),
    failure: 'We couldn’t change the order.',
    done: null,
    onDone: (rows) => {
      saved.current = rows
      const next = wanted.current
      sending.current = null
      wanted.current = null
      if (next === null) return
      draw(next)
      send(next)
    },
    onFailure: () => {
      setSaid('')
      sending.current = null
      wanted.current = null
      draw(saved.current)
      void queryClient.invalidateQueries({ queryKey })
    },
  })
  function send(rows: AdminTier[]) {
    sending.current = rows.map(({ slug }) => slug)
    action.mutate(sending.current)
  }
  return {
    said,
    problem: action.problem,
    isAtEnd: ({ slug }: AdminTier, by: 1 | -1) => tiers.at(by === 1 ? -1 : 0)?.slug === slug,
    move: (tier: AdminTier, by: 1 | -1) => {
      const at = tiers.findIndex(({ slug }) => slug === tier.slug)
      const moved = tiers.toSpliced(at, 1).toSpliced(at + by, 0, tier)
      if (sending.current === null) saved.current = tiers
      flushSync(() => {
        draw(moved)
        setSaid(`${tier.name} is now ${at + by + 1} of ${tiers.length}.`)
      })
      if (sending.current === null) send(moved)
      else wanted.current = moved
    },
  }
}

type ActionProps = { tier: AdminTier; order: ReturnType<typeof useOrder>; onOpen: (open: Open) => void }

function TierActions({ tier, order, onOpen }: ActionProps) {
  const { name, slug } = tier
  return (
    <div className="acts tieracts">
      {([-1, 1] as const).map((by) => (
        <Button
          key={by}
          isSmall
          look="line"
          aria-label={`Move ${name} ${by === 1 ? 'down' : 'up'}`}
          // `disabled` would lose the focus.
          aria-disabled={order.isAtEnd(tier, by) || undefined}
          onClick={({ currentTarget }) => {
            if (order.isAtEnd(tier, by)) return
            order.move(tier, by)
            // A row that moves is put in again, and its button loses the focus.
            currentTarget.focus()
          }}
        >
          <span aria-hidden="true">{by === 1 ? '↓' : '↑'}</span>
        </Button>
      ))}
      <Button
        look="line"
        isSmall
        aria-haspopup="dialog"
        aria-label={`Edit ${name}`}
        onClick={() => onOpen({ dialog: 'text', slug })}
      >
        Edit
      </Button>
      <Button
        look="line"
        isSmall
        aria-haspopup="dialog"
        aria-label={`Change price of ${name}`}
        onClick={() => onOpen({ dialog: 'price', slug })}
      >
        Change price
      </Button>
      {tier.prices.map(({ id, every, nextPrice }) =>
        nextPrice ? (
          <Button
            key={id}
            look="line"
            isSmall
            aria-haspopup="dialog"
            aria-label={`Cancel ${name}’s new ${every}ly price`}
            onClick={() => onOpen({ dialog: 'cancel', slug, every })}
          >
            Cancel new price
          </Button>
        ) : null,
      )}
      <RowMenu name={name} items={menuOf(tier, onOpen)} />
    </div>
  )
}

function menuOf(tier: AdminTier, onOpen: (open: Open) => void) {
  const { slug, isActive, isShown, isDefault } = tier
  const item = (label: string, open: Open) => ({ label, onPress: () => onOpen(open) })
  const offered = offeredOf(tier)
  const missing = pricePeriods.filter((every) => !offered.some((price) => price.every === every))
  return [
    ...missing.map((every) => item(`Add a ${every}ly price`, { dialog: 'price', slug, every })),
    ...(offered.length > 1
      ? offered.map(({ every }) => item(`Stop selling by the ${every}`, { dialog: 'stop', slug, every }))
      : []),
    ...(isActive && isShown && !isDefault ? [item('Make default', { dialog: 'default', slug })] : []),
    isActive ? item('Retire', { dialog: 'retire', slug }) : item('Restore', { dialog: 'restore', slug }),
    item('Delete', { dialog: 'delete', slug }),
  ]
}

type DialogProps = { open: Open; tiers: readonly AdminTier[]; onClose: () => void }

const dialogs = {
  text: TierFormDialog,
  retire: RetireDialog,
  restore: RestoreDialog,
  default: DefaultDialog,
  delete: DeleteTierDialog,
}

function OpenDialog({ open, tiers, onClose }: DialogProps) {
  if (open.dialog === 'new') return <NewTierDialog onClose={onClose} />
  const tier = tiers.find(({ slug }) => slug === open.slug)
  if (tier === undefined) return null
  if (open.dialog === 'price') return <PriceDialog tier={tier} period={open.every} onClose={onClose} />
  if (open.dialog !== 'cancel' && open.dialog !== 'stop') {
    const Known = dialogs[open.dialog]
    return <Known tier={tier} onClose={onClose} />
  }
  const price = priceOf(tier, open.every)
  if (price === undefined) return null
  if (open.dialog === 'stop') return <StopPriceDialog tier={tier} price={price} onClose={onClose} />
  const next = waitingOf(price)
  return next && <CancelPriceDialog tier={tier} price={price} nextPrice={next} onClose={onClose} />
}
