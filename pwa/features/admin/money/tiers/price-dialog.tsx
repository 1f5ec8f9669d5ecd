import { useState } from 'react'
import * as v from 'valibot'
import { readOwnerDraft, removeOwnerDraft, saveOwnerDraft } from '#pwa/features/admin/draft-storage.ts'
import { useAdminAction } from '#pwa/features/admin/use-admin-action.ts'
import { readFormValues } from '#pwa/features/forms/form-draft-store.ts'
import { RequiredLabel } from '#pwa/features/forms/form-fields.tsx'
import { useValidatedForm } from '#pwa/features/forms/use-validated-form.ts'
import { api, parseResponse } from '#pwa/lib/api.ts'
import { messageOf } from '#pwa/lib/request-error.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { Dialog } from '#pwa/ui/dialog.tsx'
import { TextField } from '#pwa/ui/field.tsx'
import { Cell, Row, Table } from '#pwa/ui/table.tsx'
import { type AdminTier, PriceChange, PricePreview } from '#shared/contract/admin-tier.ts'
import { plural } from '#shared/rules/plural.ts'
import { outcomeText } from '#shared/rules/price-move.ts'
import { monthlyText } from './tier-texts.ts'

const PriceFields = v.object({
  price: v.pipe(
    v.string(),
    v.transform((typed) => typed.replace(/[£,\s]/g, '')),
    v.regex(/^\d{1,5}(\.\d{1,2})?$/, 'Enter the price in pounds, such as 250 or 250.50.'),
    v.transform((pounds) => Math.round(Number(pounds) * 100)),
    v.minValue(100, 'Enter at least £1.'),
    v.maxValue(1_000_000, 'Enter up to £10,000.'),
  ),
})

/** Previews what a new price changes. Nothing changes until the owner confirms it. */
export function PriceDialog({ tier, onClose }: { tier: AdminTier; onClose: () => void }) {
  const [preview, setPreview] = useState<PricePreview | null>(null)
  return (
    <Dialog isOpen isWide onClose={onClose} title={`${tier.name} price`}>
      <PriceForm tier={tier} onPreview={setPreview} />
      {preview && <Preview key={preview.confirmation} preview={preview} onClose={onClose} />}
    </Dialog>
  )
}

const draftOf = (slug: string) => `price:${slug}`

function PriceForm({ tier, onPreview }: { tier: AdminTier; onPreview: (preview: PricePreview | null) => void }) {
  const [problem, setProblem] = useState<string | null>(null)
  const { form, errors, isBusy } = useValidatedForm({
    schema: PriceFields,
    send: ({ price }) => {
      setProblem(null)
      return parseResponse(PricePreview, api.api.admin.tiers({ tier: tier.slug }).price.get({ query: { price } }))
    },
    onDone: onPreview,
    onFail: (error) => setProblem(messageOf(error, 'We couldn’t work out what it changes.')),
  })
  const onInput: typeof form.onInput = (event) => {
    onPreview(null)
    saveOwnerDraft(draftOf(tier.slug), readFormValues(event.currentTarget))
    form.onInput(event)
  }
  return (
    <form {...form} onInput={onInput} className="price" aria-label="Price">
      <TextField
        label={<RequiredLabel label="Pounds a month, excluding VAT" />}
        name="price"
        inputMode="decimal"
        autoComplete="off"
        required
        defaultValue={readOwnerDraft(draftOf(tier.slug))?.price ?? String(tier.price / 100)}
        hint={`${monthlyText(tier.price)} today. Enter the same price to see who pays something else.`}
        error={errors.price}
      />
      {problem && <Banner tone="bad" role="alert" title={problem} />}
      <div className="acts">
        <Button type="submit" look="line" isBusy={isBusy} busyLabel="Looking…">
          See what it changes
        </Button>
      </div>
    </form>
  )
}

const movesIn = ({ members }: PricePreview) => members.filter(({ stays }) => stays === null).length

function Preview({ preview, onClose }: { preview: PricePreview; onClose: () => void }) {
  const { slug, name, from, to, members, confirmation } = preview
  const moving = movesIn(preview)
  const action = useAdminAction({
    schema: PriceChange,
    send: (movesMembers: boolean) =>
      api.api.admin.tiers({ tier: slug }).price.post({ price: to, movesMembers, confirmation }),
    failure: 'We couldn’t set the price.',
    done: ({ told }) => ({
      title: `${name}: ${monthlyText(to)}`,
      description: told > 0 ? `${plural(told, 'email')} on the way.` : 'For new members.',
    }),
    onDone: () => {
      removeOwnerDraft(draftOf(slug))
      onClose()
    },
  })
  const isNew = from !== to
  return (
    <section className="price" aria-label="What it changes">
      <p role="status">{summaryOf(preview, moving)}</p>
      {members.length > 0 && <Members members={members} />}
      {preview.mail && <Notice mail={preview.mail} />}
      {action.problem && <Banner tone="bad" role="alert" title={action.problem} />}
      <div className="acts">
        {moving > 0 && (
          <Button
            isBusy={action.isPending && action.variables}
            busyLabel="Writing…"
            onClick={() => action.isPending || action.mutate(true)}
          >
            {`${isNew ? `Set ${monthlyText(to)} and tell` : 'Tell'} ${plural(moving, 'member')}`}
          </Button>
        )}
        {isNew && (
          <Button
            look={moving > 0 ? 'line' : 'ink'}
            isBusy={action.isPending && !action.variables}
            busyLabel="Setting…"
            onClick={() => action.isPending || action.mutate(false)}
          >
            {moving > 0 ? 'For new members only' : `Set ${monthlyText(to)}`}
          </Button>
        )}
        <Button look="line" onClick={onClose}>
          Leave it as it is
        </Button>
      </div>
    </section>
  )
}

function summaryOf({ from, to, members }: PricePreview, moving: number): string {
  const sale =
    from === to
      ? `${monthlyText(to)} is already the price.`
      : `New members pay ${monthlyText(to)} instead of ${monthlyText(from)} from now on.`
  if (members.length === 0) return `${sale} Every member already pays it.`
  const stay = members.length - moving
  const others = [
    moving > 0 ? `${plural(moving, 'member')} can move to it, at a renewal at least 30 days after the email` : null,
    stay > 0 ? `${plural(stay, 'member')} would keep what they pay` : null,
  ]
  return `${sale} ${others.filter((part) => part !== null).join('; ')}.`
}

const Members = ({ members }: Pick<PricePreview, 'members'>) => (
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
            {monthlyText(member.from)}
          </Cell>
          <Cell kind="number" label="Would pay">
            {member.stays === null ? monthlyText(member.to) : monthlyText(member.from)}
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
