import { useEffect, useRef } from 'react'
import { removeOwnerDraft } from '#pwa/features/admin/kit/forms/draft-storage.ts'
import { useAdminAction } from '#pwa/features/admin/kit/use-admin-action.ts'
import { api } from '#pwa/lib/api.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { KeepButton } from '#pwa/ui/keep-button.tsx'
import { Cell, Row, Table } from '#pwa/ui/table.tsx'
import {
  type AdminTierPrice,
  PriceChange,
  type PriceMoveMember,
  type PricePreview,
} from '#shared/contract/admin-tier.ts'
import type { PricePeriod } from '#shared/contract/tier.ts'
import { formatLongDate } from '#shared/rules/london.ts'
import { plural } from '#shared/rules/plural.ts'
import { outcomeText, waitingText } from '#shared/rules/price-move.ts'
import { exactPriceText, savingText } from '#shared/rules/tier-prices.ts'
import { FalseSentences } from './false-sentences.tsx'

/** The month’s has the name that drafts had before there were years. */
export const draftOf = (slug: string, every: PricePeriod) => `price:${slug}${every === 'year' ? ':year' : ''}`

const movesIn = ({ members }: PricePreview) => members.filter(({ stays }) => stays === null).length

type Priced = Pick<AdminTierPrice, 'every' | 'net'>
type Props = { preview: PricePreview; isOffered: boolean; others: readonly Priced[]; onClose: () => void }

/** What a price changes. Only here is it set. `isOffered`: new members can choose this price already. `others`: the tier’s other prices. */
export function PricePreviewSection({ preview, isOffered, others, onClose }: Props) {
  const { slug, name, every, from, to, startsOn, notes, members, confirmation } = preview
  const waiting = waitingText(preview)
  const day = startsOn === null ? '' : ` from ${formatLongDate(startsOn)}`
  const moving = movesIn(preview)
  const action = useAdminAction({
    schema: PriceChange,
    send: (movesMembers: boolean) =>
      api.api.admin
        .tiers({ tier: slug })
        .price.post({ every, price: to, movesMembers, confirmation, ...(startsOn && { from: startsOn }) }),
    failure: 'We couldn’t set the price.',
    done: ({ told }) => ({
      title: `${name}: ${exactPriceText({ net: to, every })}`,
      description: told > 0 ? `${plural(told, 'email')} on the way.` : `For new members${day}.`,
    }),
    onDone: () => {
      removeOwnerDraft(draftOf(slug, every))
      onClose()
    },
  })
  const isNew = from !== to || !isOffered
  const sum = exactPriceText({ net: to, every })
  const section = useScrolledTo()
  const saving = savingText({ prices: [...others, { every, net: to }] })
  return (
    <section className="price" aria-label="What it changes" ref={section}>
      <p role="status">{[summaryOf(preview, { moving, isOffered }), ...notes].join(' ')}</p>
      {saving && <p>{`Next to the yearly price, visitors see “${saving}”.`}</p>}
      {waiting && <p>{waiting}</p>}
      {members.length > 0 && <Members members={members} every={every} />}
      {preview.mail && <Notice mail={preview.mail} />}
      <FalseSentences then={{ slug, every: [...others.map((one) => one.every), every] }} />
      {action.problem && <Banner tone="bad" role="alert" title={action.problem} />}
      <div className="acts">
        {moving > 0 && (
          <Button
            isBusy={action.isPending && action.variables}
            busyLabel="Writing…"
            onClick={() => action.isPending || action.mutate(true)}
          >
            {`${isNew ? `Set ${sum} and tell` : 'Tell'} ${plural(moving, 'member')}`}
          </Button>
        )}
        {isNew && (
          <Button
            look={moving > 0 ? 'line' : 'ink'}
            isBusy={action.isPending && !action.variables}
            busyLabel="Setting…"
            onClick={() => action.isPending || action.mutate(false)}
          >
            {moving > 0 ? 'For new members only' : `Set ${sum}${day}`}
          </Button>
        )}
        <KeepButton isBusy={action.isPending} onClick={onClose}>
          Leave it as it is
        </KeepButton>
      </div>
    </section>
  )
}

function useScrolledTo() {
  const section = useRef<HTMLElement>(null)
  // In braces: newer browsers return a promise, which React would take for a clean-up.
  useEffect(() => {
    section.current?.scrollIntoView({ block: 'start' })
  }, [])
  return section
}

type Sale = { moving: number; isOffered: boolean }

function saleText({ from, to, every, startsOn }: PricePreview, { isOffered }: Sale): string {
  const start = startsOn === null ? 'from now on' : `from ${formatLongDate(startsOn)}`
  if (from === null || !isOffered)
    return `New members can choose ${exactPriceText({ net: to, every })}, and members can change to it, ${start}.`
  return from === to
    ? `${exactPriceText({ net: to, every })} is already the price.`
    : `New members pay ${exactPriceText({ net: to, every })} instead of ${exactPriceText({ net: from, every })} ${start}.`
}

function summaryOf(preview: PricePreview, sale: Sale): string {
  const { from, startsOn, members } = preview
  const said = saleText(preview, sale)
  if (members.length === 0) return from === null ? said : `${said} Every member already pays it.`
  const stay = members.length - sale.moving
  if (startsOn !== null) {
    return `${said} ${plural(stay, 'member')} would keep what they pay. Once it’s started you can move them here, with 30 days’ notice.`
  }
  const others = [
    sale.moving > 0
      ? `${plural(sale.moving, 'member')} can move to it, at a renewal at least 30 days after the email`
      : null,
    stay > 0 ? `${plural(stay, 'member')} would keep what they pay` : null,
  ]
  return `${said} ${others.filter((part) => part !== null).join('; ')}.`
}

type MembersProps = { members: readonly PriceMoveMember[]; every: PricePeriod }

const Members = ({ members, every }: MembersProps) => (
  <Table caption="Members on another price" isStacked>
    <thead>
      <tr>
        <th scope="col">Member</th>
        <th scope="col" className="n">
          Pays
        </th>
        <th scope="col" className="n">
          Would pay
        </th>
        <th scope="col">When</th>
      </tr>
    </thead>
    <tbody>
      {members.map((member) => (
        <Row key={member.memberId ?? member.name}>
          <Cell kind="who">
            {member.name}
            <small>{member.email}</small>
          </Cell>
          <Cell kind="number" label="Pays">
            {exactPriceText({ net: member.from, every })}
          </Cell>
          <Cell kind="number" label="Would pay">
            {member.stays === null
              ? exactPriceText({ net: member.to, every })
              : exactPriceText({ net: member.from, every })}
          </Cell>
          <Cell label="When">{outcomeText(member)}</Cell>
        </Row>
      ))}
    </tbody>
  </Table>
)

const Notice = ({ mail }: { mail: NonNullable<PricePreview['mail']> }) => (
  <details className="price__mail">
    <summary>The email to {mail.to}. Everyone gets the same, with their own date and price</summary>
    <p>
      <b>{mail.subject}</b>
    </p>
    <p className="price__text">{mail.text}</p>
  </details>
)
