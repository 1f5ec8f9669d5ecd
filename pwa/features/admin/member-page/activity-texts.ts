import type { MemberActivity } from '#shared/contract/member-record.ts'
import { formatLongDate } from '#shared/rules/london.ts'
import { formatPoundsAndPence } from '#shared/rules/money.ts'

/** What the audit log calls it, in an owner's words. */
const actions: Record<string, string> = {
  'auth.login': 'Logged in',
  'auth.failed': 'A wrong password was tried',
  'auth.locked': 'Log-in was held up after too many tries',
  'auth.logout': 'Logged out',
  'auth.token': 'Logged in at a terminal',
  'auth.token_revoked': 'Logged out at a terminal',
  'auth.reset_requested': 'Asked for a new password',
  'auth.reset': 'Set a new password by a mailed link',
  'auth.password': 'Set a first password',
  'auth.proved': 'Gave the password again',
  'auth.continued': 'Carried on joining by a mailed link',
  'session.revoked': 'Signed out by an owner',
  'impersonation.started': 'Site viewed as this member',
  'impersonation.stopped': 'Stopped viewing as this member',
  'inbox.reply': 'Mail written',
  'inbox.note': 'Note written',
  'member.profile_changed': 'Profile changed',
  'member.revoke_access': 'Access revoked',
  'member.restore_access': 'Access restored',
  'member.free_access': 'Free access given',
  'member.free_access_ended': 'Free access ended',
  'member.guarantee_refund': 'Refunded under the guarantee',
  'member.refund': 'Money given back',
  'member.card_link': 'Asked to change the card',
  'subscription.cancel': 'Membership cancelled',
  'subscription.resume': 'Membership resumed',
  'subscription.end': 'Membership ended',
  'subscription.change_tier': 'Change of tier booked',
  'subscription.keep_tier': 'Booked change of tier undone',
  'subscription.upgrade': 'Dearer tier started today',
  'subscription.free_month': 'Free month given',
  'subscription.free_month_undone': 'Free month taken back',
  'price_move.told': 'Told of a new price',
  'price_move.booked': 'New price booked for the renewal',
  'price_move.moved': 'Pays the new price',
  'price_move.cancelled': 'Keeps the old price, having cancelled',
  'price_move.tier_changed': 'New price dropped with a change of tier',
  'price_move.refused': 'Keeps the old price, since the mail was not taken',
  'commission.paid': 'Commission marked as paid',
  'commission.unpaid': 'Commission marked as unpaid',
  'commission.deleted': 'Commission deleted',
}

export const actionText = ({ action }: Pick<MemberActivity, 'action'>) =>
  actions[action] ?? action.replace(/[._-]/g, ' ').replace(/^./, (letter) => letter.toUpperCase())

const amounts = new Set(['amount', 'net', 'total', 'refunded'])
const fieldNames: Record<string, string> = {
  firstName: 'first name',
  lastName: 'last name',
  businessName: 'business',
}

/** What was said or chosen with it. Ids of the payment provider are left out: they say nothing here. */
export function detailText({ detail }: Pick<MemberActivity, 'detail'>): string {
  return Object.entries(detail)
    .flatMap(([name, value]) => textOf(name, value) ?? [])
    .join('. ')
}

function textOf(name: string, value: unknown): string | null {
  if (Array.isArray(value)) return value.map((each) => fieldNames[String(each)] ?? String(each)).join(', ')
  if (typeof value === 'number') return amountText(name, value)
  if (value === true) return name === 'endsMembership' ? 'The membership was ended with it' : null
  if (typeof value !== 'string' || /^(sub|in|seti|pi|re)_/.test(value)) return null
  if (name === 'on') return `From ${formatLongDate(value)}`
  if (name === 'until') return `Until ${formatLongDate(value)}`
  if (name === 'from' || name === 'to') return `${name} ${value}`
  return name === 'reason' ? `“${value}”` : null
}

/** `from` and `to` are the prices of a price move. */
const amountText = (name: string, pence: number): string | null =>
  name === 'from' || name === 'to'
    ? `${name} ${formatPoundsAndPence(pence)}`
    : amounts.has(name)
      ? formatPoundsAndPence(pence)
      : null

const who: Record<MemberActivity['by'], string> = {
  member: 'The member',
  owner: 'An owner',
  terminal: 'The terminal',
  site: 'The site',
}

export const byText = ({ by, name }: Pick<MemberActivity, 'by' | 'name'>) => name ?? who[by]
