import { Fragment } from 'react'
import * as v from 'valibot'
import type { FormValues } from '#pwa/features/admin/kit/forms/draft-storage.ts'
import {
  checkField,
  choiceField,
  type FormPart,
  formOf,
  lineField,
  numberField,
  textField,
} from '#pwa/features/admin/kit/forms/form-parts.tsx'
import type { RowFormParts } from '#pwa/features/admin/kit/forms/row-form.tsx'
import type { FieldErrors } from '#pwa/features/forms/use-field-errors.ts'
import { newKey } from '#pwa/lib/new-key.ts'
import { type AdminTier, NewTierRequest, TierChangeRequest } from '#shared/contract/admin-tier.ts'
import { type PricePeriod, pricePeriods } from '#shared/contract/tier.ts'
import { everyText } from '#shared/rules/tier-prices.ts'
import { colourLabels, PriceField } from './tier-texts.ts'

/** A tier’s prices and whether it’s on sale change separately. */
export const TierFields = v.omit(TierChangeRequest, ['version', 'newDefault', 'visibility'])

const { prices: _, ...newEntries } = NewTierRequest.entries

const noPrice = v.pipe(
  v.literal(''),
  v.transform(() => null),
)

const optionalPrice = (every: PricePeriod) => v.lazy((typed) => (typed === '' ? noPrice : PriceField(every)))

export const NewTierFields = v.pipe(
  v.strictObject({ ...newEntries, month: optionalPrice('month'), year: optionalPrice('year') }),
  v.forward(
    v.partialCheck(
      [['month'], ['year']],
      ({ month, year }) => month !== null || year !== null,
      'Enter a monthly price, a yearly price, or both.',
    ),
    ['month'],
  ),
)

export const newTierRequest = ({ month, year, ...tier }: v.InferOutput<typeof NewTierFields>): NewTierRequest => ({
  ...tier,
  prices: pricesOf({ month, year }),
})

type Nets = Record<PricePeriod, number | null>

const pricesOf = (nets: Nets) =>
  pricePeriods.flatMap((every) => {
    const net = nets[every]
    return net === null ? [] : [{ every, net }]
  })

/** The prices typed so far that could be saved. */
export function pricesTyped(typed: FormValues) {
  const netOf = (every: PricePeriod) => {
    const read = v.safeParse(PriceField(every), typed[every] ?? '')
    return read.success ? read.output : null
  }
  return pricesOf({ month: netOf('month'), year: netOf('year') })
}

type Given = { features?: readonly string[] | undefined }
type Part = FormPart<Given>

/** All features share one text area, so an error in any of them goes there. */
const lineError = (errors: FieldErrors) =>
  errors.features ?? Object.entries(errors).find(([name]) => name.startsWith('features.'))?.[1]

export const linesTyped = ({ features = '' }: FormValues) =>
  features.split(/\r?\n/).filter((line) => line.trim() !== '')

const features = textField('features', 'What they get', {
  rows: 6,
  required: true,
  hint: 'One per line. Put ** around words to make them bold.',
})

const featuresPart: Part = {
  ...features,
  draw: ({ values, errors }) => features.draw({ values, errors: { ...errors, features: lineError(errors) } }),
  fill: (tier) => ({ features: (tier.features ?? []).join('\n') }),
  read: (typed) => ({ features: linesTyped(typed) }),
  text: (tier) => (tier.features ?? []).join('\n'),
}

/** One that’s left out where nothing is typed. */
const unlessEmpty = (part: Part): Part => ({
  ...part,
  read: (typed) => (typed[part.name] ? { [part.name]: typed[part.name] } : {}),
})

const tick = (name: string, field: string, label = field) => checkField(name, field, { label, yes: 'Yes', no: 'No' })

const badge = lineField('badge', 'Badge', { className: 'f3', hint: 'Such as “Most Popular”. Leave it empty for none.' })
const calls = numberField('callsPerMonth', 'Calls a month', { className: 'f3', hint: '0 for none.' })

const textParts: readonly Part[] = [
  lineField('name', 'Name', { required: true }),
  lineField('description', 'Description', { required: true }),
  featuresPart,
]

const givenParts: readonly Part[] = [
  { ...calls, read: ({ callsPerMonth }) => ({ callsPerMonth: Number(callsPerMonth || 0) }) },
  numberField('callDuration', 'Minutes a call', { className: 'f3' }),
  numberField('questionsPerMonth', 'Questions a month', {
    className: 'f3',
    hint: '0 for none. Leave it empty for no limit.',
  }),
  tick('hasVideoAccess', 'Videos'),
  tick('hasCommunityAccess', 'Community'),
  tick('hasWhatsApp', 'WhatsApp with a coach'),
  tick('hasMonthlyCoaching', 'Monthly coaching'),
  tick('hasWeeklyAccountability', 'Weekly accountability'),
]

const shownParts: readonly Part[] = [
  tick('isShown', 'Shown on the site. Otherwise you sell it by invitation only.', 'On the site'),
  tick('isByInvitation', 'Marked “by invitation”'),
  tick('rejoinsNow', 'Offered to people who rejoin today'),
  tick('rejoinsLater', 'Offered to people who rejoin later'),
  tick('isPreselected', 'Already chosen for people who rejoin'),
  tick('isHighlighted', 'Its button stands out'),
  { ...badge, read: ({ badge }) => ({ badge: badge?.trim() || null }) },
  choiceField('cardColour', 'Card colour', colourLabels, { className: 'f3' }),
]

const slugPart = unlessEmpty(
  lineField('slug', 'Short name', {
    hint: 'For the terminal and addresses. Leave it empty and we’ll make one from the name. You can’t change it later.',
  }),
)

const videosPart = (tiers: readonly AdminTier[]): Part =>
  unlessEmpty(
    choiceField(
      'videosLike',
      'Starts with the videos of',
      Object.fromEntries([['', 'No tier: no videos yet'], ...tiers.map(({ slug, name }) => [slug, name] as const)]),
    ),
  )

const pricePart = (every: PricePeriod): Part =>
  lineField(every, `Pounds ${everyText(every)}, excluding VAT`, { className: 'f3', inputMode: 'decimal' })

/** The form’s parts under their headings. Null is a new tier. */
export function tierForm(tier: AdminTier | null, tiers: readonly AdminTier[]) {
  const isNew = tier === null
  const groups: readonly (readonly [heading: string, parts: readonly Part[]])[] = [
    ['Words', isNew ? [...textParts, slugPart] : textParts],
    ...(isNew ? ([['Prices', pricePeriods.map(pricePart)]] as const) : []),
    ['What’s included', isNew ? [...givenParts, videosPart(tiers)] : givenParts],
    ['Where it’s shown', shownParts],
  ]
  const { draw: _all, ...form } = formOf(groups.flatMap(([, parts]) => parts))
  return {
    ...form,
    draw: (shown: Pick<RowFormParts, 'values' | 'errors'>) =>
      groups.map(([heading, parts]) => (
        <section key={heading} className="fields" aria-label={heading}>
          <h3>{heading}</h3>
          {parts.map((part) => (
            <Fragment key={part.name}>{part.draw(shown)}</Fragment>
          ))}
        </section>
      )),
  }
}

/** `key`: the idempotency key, so a retry after a lost response adds one tier. */
export const newTierValues = (): FormValues => ({
  key: newKey(),
  callsPerMonth: '0',
  cardColour: 'paper',
  hasVideoAccess: 'on',
  hasCommunityAccess: 'on',
  isShown: 'on',
  rejoinsNow: 'on',
  rejoinsLater: 'on',
})
