import { desc, eq } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { customerBelongsTo } from '#api/db/customers.ts'
import { preparedQuery, unplanned } from '#api/db/query.ts'
import { customers } from '#api/db/schema/customers.ts'
import { invoices } from '#api/db/schema/invoices.ts'
import { quotientOrders } from '#api/db/schema/orders.ts'
import { addresses, users } from '#api/db/schema/people.ts'
import type { InvoiceLine } from '#api/db/schema/provider.ts'
import { isStoredPicture } from '#api/features/media/photograph-service.ts'
import { tierBySlug } from '#api/features/tiers/service.ts'
import { contentOf } from '#api/site/content.ts'
import { siteSettings } from '#api/site/settings.ts'
import type { BillingAddress } from '#shared/contract/billing.ts'
import type { TierSlug } from '#shared/contract/tier.ts'
import { addDays, formatLongDate, londonDay } from '#shared/rules/london.ts'
import { vatRate } from '#shared/rules/money.ts'
import { periodOf } from '#shared/rules/paid-months.ts'
import { nameOrEmail } from '#shared/rules/person-name.ts'
import { shippedColours } from '#shared/values/brand-colours.ts'
import type { InvoiceRow, Payment } from './queries.ts'

type Order = typeof quotientOrders.$inferSelect
type Recipient = InvoiceRow['customer']

/**
 * What regulation 14(1) of the VAT Regulations 1995 requires of an invoice to a customer in the UK, taken from our rows as they are
 * today: time of supply, supplier, customer and what was supplied. Number and date of issue come with the issue.
 */
export function particularsOf(ctx: Context, payment: Payment) {
  const order = orderOf(ctx, payment)
  const customer = recipientOf(ctx, payment, order)
  return {
    taxPoint: londonDay(new Date(payment.paidAt ?? payment.created)),
    seller: sellerOf(ctx),
    customer,
    isMissingAddress: customer.address === null,
    lines: linesOf(ctx, payment),
    tierSlug: payment.tierSlug,
    net: payment.net,
    vat: payment.vat,
    gross: payment.total,
    fromCredit: Math.min(payment.fromCredit, payment.total),
  }
}

/** As of today, with the brand's colour and logo. An issued document keeps all three. */
function sellerOf(ctx: Context): InvoiceRow['seller'] {
  const { colours, logo } = contentOf(ctx).read().site.brand
  const { seller } = siteSettings(ctx)
  return {
    ...seller,
    ...(colours.accent === shippedColours.accent ? {} : { accent: colours.accent }),
    ...(isStoredPicture(logo) ? { logo } : {}),
  }
}

const ordersById = preparedQuery<{ id: string }>()((db, { id }) =>
  db.select().from(quotientOrders).where(eq(quotientOrders.id, id)),
)

const orderOf = (ctx: Context, { quotientOrderId }: Payment): Order | undefined =>
  quotientOrderId === null ? undefined : ordersById.get(ctx, { id: quotientOrderId })

const accountsByCustomer = preparedQuery<{ customerId: string }>()((db, { customerId }) =>
  db
    .select({ user: users, address: addresses })
    .from(customers)
    .innerJoin(users, customerBelongsTo(users.id))
    .leftJoin(addresses, eq(addresses.userId, users.id))
    .where(eq(customers.id, unplanned(customerId))),
)

const lastRecipients = preparedQuery<{ customerId: string }>()((db, { customerId }) =>
  db
    .select({ customer: invoices.customer })
    .from(invoices)
    .where(eq(invoices.customerId, customerId))
    .orderBy(desc(invoices.sequence))
    .limit(1),
)

/** An order names its buyer. Otherwise it's the account, or the last invoice's recipient if the account is deleted. */
function recipientOf(ctx: Context, payment: Payment, order: Order | undefined): Recipient {
  const { customerId } = payment
  const account = accountsByCustomer.get(ctx, { customerId })
  const address = order?.address ?? account?.address ?? null
  const buyer = order ?? account?.user
  if (buyer === undefined) {
    return lastRecipients.get(ctx, { customerId })?.customer ?? { name: 'Former member', address: null }
  }
  const name = nameOrEmail(buyer)
  return { name, businessName: buyer.businessName || null, address: address && addressLines(address) }
}

const countryNames = () => new Intl.DisplayNames('en-GB', { type: 'region' })

type PostalAddress = Omit<BillingAddress, 'line2'> & { line2?: string | null | undefined }

const addressLines = ({ line1, line2, town, postcode, country }: PostalAddress) =>
  [line1, line2, town, postcode, country === 'GB' ? null : countryNames().of(country)].filter(Boolean).join('\n')

/** The provider's lines in our words; one line for the whole if they don't add up to the payment. */
function linesOf(ctx: Context, payment: Payment): InvoiceLine[] {
  const { lines, net, vat } = payment
  const description = descriptionOf(ctx, payment)
  const sum = (what: 'net' | 'vat') => lines.reduce((total, line) => total + line[what], 0)
  if (lines.length === 0 || sum('net') !== net || sum('vat') !== vat) {
    const whole = { quantity: 1, unitPrice: net, net, rate: vat === 0 ? 0 : vatRate, vat }
    return [{ description: description ?? lines[0]?.description ?? 'Services', ...whole }]
  }
  const membershipLine = membershipLineOf(lines)
  return lines.map(({ isPeriod: _isPeriod, isUntaxed: _isUntaxed, ...line }, at) => ({
    ...line,
    ...(at === membershipLine && payment.tierSlug !== null && !payment.isUpgrade
      ? { isPeriod: true, ...paidPeriod(payment) }
      : {}),
    description:
      (at === membershipLine && description) || creditText(ctx, payment, line) || line.description || 'Services',
  }))
}

const paidPeriod = ({ periodStart: start, periodEnd: end }: Payment) =>
  start === null || end === null ? {} : periodOf({ start, end })

/** The tier's own line. Rows read by an earlier version name the tier on prorations alone. */
function membershipLineOf(lines: readonly InvoiceLine[]): number {
  const kinds: ((line: InvoiceLine) => boolean | undefined)[] = [
    ({ isPeriod, tierSlug }) => isPeriod && tierSlug !== undefined,
    ({ isProration, tierSlug, net }) => isProration && tierSlug !== undefined && net > 0,
    ({ isPeriod }) => isPeriod,
    ({ isProration, net }) => isProration && net > 0,
  ]
  const places = kinds.map((kind) => lines.findIndex(kind))
  return places.find((place) => place !== -1) ?? 0
}

/** What an upgrade takes off: the unused part of the last payment. */
function creditText(ctx: Context, payment: Payment, { net, isProration, tierSlug }: InvoiceLine): string | null {
  if (!payment.isUpgrade || isProration !== true || net >= 0 || tierSlug === undefined) return null
  return `Less the unused part of the ${membershipText(ctx, payment, tierSlug)}`
}

function descriptionOf(ctx: Context, payment: Payment): string | null {
  if (payment.tierSlug === null) return null
  return membershipText(ctx, payment, payment.tierSlug)
}

function membershipText(ctx: Context, payment: Payment, tierSlug: TierSlug): string {
  const name = tierBySlug(ctx, tierSlug)?.name ?? tierSlug
  if (payment.periodStart === null || payment.periodEnd === null) return `${name} membership`
  const [from, until] = [londonDay(new Date(payment.periodStart)), londonDay(new Date(payment.periodEnd))]
  return `${name} membership, ${formatLongDate(from)} to ${formatLongDate(addDays(until, -1))}`
}
