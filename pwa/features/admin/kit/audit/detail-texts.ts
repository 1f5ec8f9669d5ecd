import * as v from 'valibot'
import { statusLabels } from '#pwa/features/admin/kit/inbox/inbox-texts.ts'
import { purposeOf } from '#pwa/features/admin/kit/jobs/system-texts.ts'
import { SettingName, settingOption } from '#shared/contract/site-settings.ts'
import { formatLongDate, formatMoment, formatMonthAndYear } from '#shared/rules/london.ts'
import { formatPoundsAndPence } from '#shared/rules/money.ts'
import { plural } from '#shared/rules/plural.ts'

type Detail = Record<string, unknown>

const quoted = (text: string) => `“${text}”`
const statusOf = (status: string) => Object.entries(statusLabels).find(([name]) => name === status)?.[1] ?? status
const dayOrMoment = (at: string) => (at.length > 10 ? formatMoment(at) : formatLongDate(at))

const abouts: Record<string, string> = {
  'membership-applications': 'about an application',
  'coaching-applications': 'about a coaching application',
  'coaching-bookings': 'about a booking',
  'quotient-orders': 'about an order',
  contacts: 'in answer to a message',
  members: '',
}

const callKinds: Record<string, string> = {
  coaching: 'coaching call',
  'catch-up': 'catch-up call',
  consultation: 'free call',
  sales: 'sales call',
}

const texts: Record<string, (text: string) => string> = {
  reason: quoted,
  title: quoted,
  description: quoted,
  subject: quoted,
  name: quoted,
  email: (email) => email,
  slug: (slug) => `/blog/${slug}`,
  category: (category) => `in ${category}`,
  validFrom: (day) => `from ${formatLongDate(day)}`,
  on: (at) => `from ${formatLongDate(at)}`,
  until: (at) => `until ${dayOrMoment(at)}`,
  expires: (at) => `works until ${dayOrMoment(at)}`,
  saleDate: (day) => `sold on ${formatLongDate(day)}`,
  setUpOn: (day) => `on ${formatLongDate(day)}`,
  createdAt: (at) => `received on ${formatLongDate(at)}`,
  lastPayment: (at) => `last paid on ${formatLongDate(at)}`,
  month: (month) => formatMonthAndYear(`${month}-15`),
  status: (status) => `was ${quoted(statusOf(status))}`,
  kind: (kind) => callKinds[kind] ?? kind,
  startsAt: formatMoment,
  firstDay: (day) => `from ${formatLongDate(day)}`,
  lastDay: (day) => `to ${formatLongDate(day)}`,
  note: quoted,
  setting: (name) => (v.is(SettingName, name) ? settingOption(name).label : name),
  job: (name) => purposeOf({ name }),
  about: (kind) => abouts[kind] ?? '',
  // Keyed hashes: the same letters mean the same network, or the same typed address.
  address: (hash) => `from connection ${hash.slice(0, 6)}`,
  account: (hash) => `for email ${hash.slice(0, 6)}`,
}

const numbers: Record<string, (number: number) => string> = {
  amount: formatPoundsAndPence,
  refunded: formatPoundsAndPence,
  total: formatPoundsAndPence,
  net: (pence) => `${formatPoundsAndPence(pence)} + VAT`,
  totalAmount: (pence) => `sold for ${formatPoundsAndPence(pence)}`,
  commissionAmount: (pence) => `commission ${formatPoundsAndPence(pence)}`,
  rate: (rate) => `${rate}%`,
  days: (days) => `good for ${plural(days, 'day')}`,
  told: (count) => `${plural(count, 'member')} told`,
  revoked: (count) => `${plural(count, 'login')} ended`,
  createdCount: (count) => `${plural(count, 'VAT invoice')} issued`,
  problemCount: (count) => `${plural(count, 'member')} with a problem`,
  errorCount: (count) => `${count} not deleted`,
  finalizedCount: (count) => `${plural(count, 'invoice')} kept`,
}

const labels: Record<string, string> = {
  goes: 'deleted',
  stays: 'kept',
  progress: 'videos ticked',
  sessions: 'logins',
  users: 'accounts',
  subscriptions: 'subscriptions',
  commissionLines: 'commission entries',
  unsentMails: 'unsent emails',
  businessName: 'business',
  billingAddress: 'billing address',
  tierAccess: 'tiers',
  isPublished: 'published or draft',
  embedUrl: 'player address',
  videoId: 'video ID',
  videoType: 'type',
  orderIndex: 'order',
  duration: 'length',
  publishedAt: 'published on',
  featuredImage: 'picture',
  featuredImageAlt: 'what the picture shows',
  slug: 'web address',
  addresses: 'earlier web addresses',
  features: 'what they get',
  visibility: 'who sees it',
}

const labelOf = (name: string) => labels[name] ?? name.replace(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`)

/** Our ids, Stripe’s ids and line counts mean nothing to an owner. */
const hidden = new Set(['subscription', 'payment', 'customer', 'invoice', 'price', 'move', 'override', 'lines', 'wish'])

/** What a tier’s slug or a coach’s id is called. */
type NameOf = (id: string) => string

/** An audit log entry’s details in owners’ words. Amounts come in pence and leave in pounds. */
export function detailText({ action, detail }: { action: string; detail: Detail }, nameOf: NameOf): string {
  const { from, to, before, after, ...rest } = detail
  const parts = [
    ...Object.entries(rest).map(([name, value]) => (isShown(action, name) ? partOf(name, value, nameOf) : '')),
    changeText([from, to], (side) => sideText(side, nameOf)),
    changeText([before, after], (side) => quoted(statusOf(String(side)))),
  ]
  return parts
    .filter(Boolean)
    .join(', ')
    .replace(/^\p{Ll}/u, (letter) => letter.toUpperCase())
}

/** A subscription’s `status` is Stripe’s, not the entry’s. Old commission entries kept a line count in `amount`. */
const isShown = (action: string, name: string) =>
  !hidden.has(name) &&
  !(name === 'status' && action.startsWith('subscription.')) &&
  !(name === 'amount' && action.startsWith('commission.'))

/** `side` is a price in pence, an ISO time, a tier’s slug or a setting’s value. */
function sideText(side: unknown, nameOf: NameOf): string {
  if (typeof side === 'number') return formatPoundsAndPence(side)
  if (side === '') return 'nothing'
  return /^\d{4}-\d\d-\d\dT/.test(String(side)) ? formatMoment(String(side)) : nameOf(String(side))
}

function changeText([from, to]: [unknown, unknown], say: (side: unknown) => string): string {
  const sides = [from === undefined ? '' : `from ${say(from)}`, to === undefined ? '' : `to ${say(to)}`]
  return sides.filter(Boolean).join(' ')
}

function partOf(name: string, value: unknown, nameOf: NameOf): string {
  if (name === 'coach' && value === null) return 'all coaches'
  if (name === 'tier' || name === 'coach') return nameOf(String(value))
  if (name === 'scopes') {
    const can = String(value).includes('write') ? 'can read and change' : 'can read'
    return String(value).includes('files') ? `${can}, and download the accountant’s files` : can
  }
  if (name === 'endsMembership') return value === true ? 'and ended the membership' : ''
  // A link for someone who hasn’t paid yet has no day of a last payment.
  if (value === '') return ''
  if (typeof value === 'string') return texts[name]?.(value) ?? `${labelOf(name)}: ${value}`
  if (typeof value === 'number') return value === 0 && name !== 'rate' ? '' : numberText(name, value)
  if (Array.isArray(value))
    return value.map((one) => (name === 'fields' ? labelOf(String(one)) : itemText(one))).join(', ')
  if (typeof value === 'object' && value !== null) {
    const inner = Object.entries(value).map(([part, count]) => partOf(part, count, nameOf))
    return inner.some(Boolean) ? `${labelOf(name)}: ${inner.filter(Boolean).join(', ')}` : ''
  }
  return value === true ? labelOf(name) : ''
}

/** A day’s hours are an object: opening and closing time. */
const itemText = (item: unknown) =>
  typeof item === 'object' && item !== null ? Object.values(item).join('–') : String(item)

const numberText = (name: string, number: number) => numbers[name]?.(number) ?? `${labelOf(name)} ${number}`
