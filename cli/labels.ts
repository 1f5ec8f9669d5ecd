import type { SubscriptionStatus } from '#shared/contract/billing.ts'
import { formatLongDate, formatMoment, londonClock } from '#shared/rules/london.ts'
import { fullName, type Named } from '#shared/rules/person-name.ts'
import type { Tone } from './table.ts'

export const emptyLabel = '–'

/** `12 July 2026, 07:40`, London time, so that two owners in different places read the same. */
export const timeLabel = (instant: string | null) => (instant === null ? emptyLabel : formatMoment(instant))

export const dayLabel = (when: string | null) => (when === null ? emptyLabel : formatLongDate(when))

export const expiryLabel = (instant: string) => `${londonClock(instant)} on ${formatLongDate(instant)}`

export const providerStatusLabel = (status: SubscriptionStatus) =>
  status === 'none' ? emptyLabel : status.replace('_', ' ').replace(/^./, (letter) => letter.toUpperCase())

export function statusTone(status: SubscriptionStatus): Tone | undefined {
  if (status === 'active' || status === 'trialing') return 'success'
  return status === 'past_due' || status === 'unpaid' ? 'error' : 'muted'
}

export const nameLabel = (person: Named) => fullName(person) || emptyLabel

/** `Sam Field (sam@example.com)`, or just the address if there's no name. */
export const personLabel = ({ name, email }: { name: string; email: string }) =>
  name === email ? email : `${name} (${email})`

export const yesNoLabel = (is: boolean) => (is ? 'yes' : 'no')

const bars = '▁▂▃▄▅▆▇█'

/** Amounts as a line of bars from zero to the highest, newest last. It shows `width` of them: two years of months. */
export function sparkline(values: readonly number[], width = 24): string {
  const shown = values.slice(-Math.max(width, 1))
  const highest = Math.max(...shown, 1)
  return shown.map((value) => bars[Math.round((Math.max(value, 0) / highest) * (bars.length - 1))] ?? '').join('')
}
