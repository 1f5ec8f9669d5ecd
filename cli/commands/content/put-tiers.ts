import { requestTiers } from '#cli/commands/tiers/list.ts'
import type { Client } from '#cli/connection.ts'
import { emptyLabel, yesNoLabel } from '#cli/labels.ts'
import { parseArgument, request, withoutUnset } from '#cli/request.ts'
import {
  AdminTier,
  AdminTierList,
  type AdminTierPrice,
  NewTierRequest,
  PriceChange,
  PricePreview,
} from '#shared/contract/admin-tier.ts'
import type { SiteCopy } from '#shared/contract/site-copy.ts'
import type { PricePeriod } from '#shared/contract/tier.ts'
import { formatLongDate, londonDay } from '#shared/rules/london.ts'
import { formatPoundsAndPence } from '#shared/rules/money.ts'
import { exactPriceText } from '#shared/rules/tier-prices.ts'
import { putEach, type Skipped } from './put-parts.ts'

type Copied = SiteCopy['tiers'][number]
type CopiedPrice = Pick<AdminTierPrice, 'every' | 'net' | 'isOffered'> & Partial<Pick<AdminTierPrice, 'nextPrice'>>

/** An older copy has the month's price alone. What's on sale comes first, because a tier keeps one that is. */
const pricesOf = ({ prices, price: net }: Copied): readonly CopiedPrice[] =>
  prices?.toSorted((one, other) => Number(other.isOffered) - Number(one.isOffered)) ?? [
    { every: 'month', net, isOffered: true },
  ]

const propertiesOf = ({ slug: _slug, price: _price, prices: _prices, isDefault: _isDefault, ...given }: Copied) => given

/**
 * Makes the tiers that aren't here, and sets those that are. Deletes none. A price changes as any new price does: this site's members
 * keep theirs.
 */
export async function putTiers(client: Client, tiers: SiteCopy['tiers']): Promise<Skipped[]> {
  // The default one first, so that the one before it can be retired. Then those that are retired, so that there's room for the others.
  const turnOf = ({ isDefault, visibility }: Copied) => (isDefault ? 0 : visibility === 'hidden' ? 1 : 2)
  const inTurn = tiers.toSorted((one, other) => turnOf(one) - turnOf(other))
  const put = (some: readonly Copied[]) =>
    putEach(
      some,
      ({ name }) => name,
      (tier) => putTier(client, tier),
    )
  const refused = new Set((await put(inTurn)).map(({ what }) => what))
  // A name that was another's may be free by now.
  const skipped = refused.size === 0 ? [] : await put(inTurn.filter(({ name }) => refused.has(name)))
  return [...skipped, ...(await putOrder(client, tiers))]
}

async function putTier(client: Client, copied: Copied): Promise<void> {
  const found = (await requestTiers(client)).find(({ slug }) => slug === copied.slug)
  let tier = found === undefined ? await addTier(client, copied) : await changeTier(client, found, copied)
  for (const price of pricesOf(copied)) tier = await putPrice(client, tier, price)
  if (copied.isDefault && !tier.isDefault)
    await request(AdminTier, client.api.admin.tiers({ tier: tier.slug }).default.post({ version: tier.version }))
}

function addTier({ api }: Client, copied: Copied): Promise<AdminTier> {
  const { visibility, isByInvitation = visibility === 'invitation', ...given } = propertiesOf(copied)
  const prices = pricesOf(copied).map(({ every, net }) => ({ every, net }))
  const { slug } = copied
  const tier = { ...withoutUnset(given), slug, prices, isByInvitation, isActive: visibility !== 'hidden' }
  return request(AdminTier, api.admin.tiers.post(parseArgument(NewTierRequest, tier)))
}

const changeTier = ({ api }: Client, { slug, version }: AdminTier, copied: Copied): Promise<AdminTier> =>
  request(AdminTier, api.admin.tiers({ tier: slug }).patch({ ...withoutUnset(propertiesOf(copied)), version }))

async function putPrice(client: Client, tier: AdminTier, wanted: CopiedPrice): Promise<AdminTier> {
  const { api } = client
  const { every } = wanted
  const { net, next, isOffered } = presently(wanted)
  const row = tier.prices.find((price) => price.every === every)
  const path = api.admin.tiers({ tier: tier.slug })
  let now = tier
  if (isOffered && !(row?.isOffered && row.net === net)) now = await setPrice(client, tier, { every, price: net })
  if (!isOffered && row?.isOffered)
    now = await request(AdminTier, path.price.offer.delete({ every, version: now.version }))
  const waiting = now.prices.find((price) => price.every === every)?.nextPrice ?? null
  if (next === undefined || isSame(waiting, next)) return now
  if (next !== null) return setPrice(client, now, { every, price: next.net, from: next.from })
  if (waiting === null) return now
  return request(AdminTier, path.price.delete({ every, price: waiting.net, from: waiting.from }))
}

type Next = AdminTierPrice['nextPrice']

const isSame = (one: Next, other: Next) => one?.net === other?.net && one?.from === other?.from

type Present = { net: number; next: Next | undefined; isOffered: boolean }

/** A price that was waiting when the copy was made may have started since. */
const presently = ({ net, nextPrice: next, isOffered }: CopiedPrice): Present =>
  next && next.from <= londonDay(new Date()) ? { net: next.net, next: null, isOffered: true } : { net, next, isOffered }

type Wanted = { every: PricePeriod; price: number; from?: string }

async function setPrice({ api }: Client, { slug }: AdminTier, wanted: Wanted): Promise<AdminTier> {
  const { price } = api.admin.tiers({ tier: slug })
  const { confirmation } = await request(PricePreview, price.get({ query: wanted }))
  return (await request(PriceChange, price.post({ ...wanted, movesMembers: false, confirmation }))).tier
}

/** The copy's tiers in its order, then the others. An older copy says nothing of an order. */
async function putOrder(client: Client, tiers: SiteCopy['tiers']): Promise<Skipped[]> {
  if (tiers.some(({ prices }) => prices === undefined)) return []
  const here = (await requestTiers(client)).map(({ slug }) => slug)
  const slugs = inOrder(tiers, here)
  return putEach(
    slugs.join() === here.join() ? [] : [slugs],
    () => 'the order of the tiers',
    (order) => request(AdminTierList, client.api.admin['tier-order'].put({ slugs: order })),
  )
}

function inOrder(tiers: readonly Copied[], here: readonly string[]): string[] {
  const ours = tiers.map(({ slug }) => slug).filter((slug) => here.includes(slug))
  return [...ours, ...here.filter((slug) => !ours.includes(slug))]
}

const fieldLabels: Record<keyof ReturnType<typeof propertiesOf>, string> = {
  name: 'name',
  description: 'line below it',
  features: 'what they get',
  visibility: 'shown',
  hasWeeklyAccountability: 'weekly accountability',
  callDuration: 'minutes a call',
  callsPerMonth: 'calls a month',
  questionsPerMonth: 'questions a month',
  hasMonthlyCoaching: 'monthly coaching',
  hasVideoAccess: 'videos',
  hasCommunityAccess: 'community',
  hasWhatsApp: 'WhatsApp',
  isShown: 'on the site',
  isByInvitation: 'by invitation',
  isPreselected: 'already chosen for people who rejoin',
  isHighlighted: 'its button stands out',
  badge: 'badge',
  cardColour: 'colour',
  rejoinsNow: 'offered to people who rejoin today',
  rejoinsLater: 'offered to people who rejoin later',
}

/** What an import would change, a line for each tier. */
export function tierChanges(tiers: readonly Copied[], here: readonly Copied[]): string[] {
  const bySlug = new Map(here.map((tier) => [tier.slug, tier]))
  const lines = tiers.flatMap((copied) => {
    const before = bySlug.get(copied.slug)
    if (before === undefined) return [`${copied.name} is new: ${pricesOf(copied).map(priceText).join(', ')}.`]
    const changes = [...changedFields(copied, before), ...changedPrices(copied, before)]
    return changes.length === 0 ? [] : [`${before.name}: ${changes.join('; ')}.`]
  })
  const inFile = new Set(tiers.map(({ slug }) => slug))
  const others = tiers.length === 0 ? [] : here.filter(({ slug }) => !inFile.has(slug))
  const slugs = here.map(({ slug }) => slug)
  const isMoved = tiers.every(({ prices }) => prices !== undefined) && inOrder(tiers, slugs).join() !== slugs.join()
  return [
    ...lines,
    ...others.map(({ name }) => `${name} isn’t in the file, so it stays as it is.`),
    ...(isMoved ? [`The order changes to the file’s: ${tiers.map(({ name }) => name).join(', ')}.`] : []),
  ]
}

function changedFields(copied: Copied, before: Copied): string[] {
  const were = new Map<string, unknown>(Object.entries(before))
  const labels = new Map<string, string>(Object.entries(fieldLabels))
  const fields = Object.entries(propertiesOf(copied)).flatMap(([name, value]) =>
    value === undefined || JSON.stringify(value) === JSON.stringify(were.get(name))
      ? []
      : [`${labels.get(name)}: ${valueText(were.get(name))} → ${valueText(value)}`],
  )
  return copied.isDefault && !before.isDefault ? [...fields, 'becomes the default tier'] : fields
}

function valueText(value: unknown): string {
  if (typeof value === 'boolean') return yesNoLabel(value)
  return Array.isArray(value) ? value.join(', ') : String(value ?? emptyLabel)
}

function changedPrices(copied: Copied, before: Copied): string[] {
  return pricesOf(copied).flatMap((price) => {
    const was = pricesOf(before).find(({ every }) => every === price.every)
    const [from, to] = [was === undefined ? emptyLabel : priceText(was), priceText({ ...was, ...price })]
    return from === to ? [] : [`${from} → ${to}`]
  })
}

function priceText({ every, net, isOffered, nextPrice }: CopiedPrice): string {
  const sum = exactPriceText({ net, every })
  const next = nextPrice ? `, ${formatPoundsAndPence(nextPrice.net)} from ${formatLongDate(nextPrice.from)}` : ''
  return `${sum}${isOffered ? '' : ', not on sale'}${next}`
}
