import type { funnelSteps } from '#shared/contract/engagement.ts'
import type { RiskReason } from '#shared/contract/risk.ts'
import { quietDays } from '#shared/contract/risk.ts'
import { directSource, otherSource } from '#shared/rules/visit-source.ts'

export const stepNames: Record<(typeof funnelSteps)[number], string> = {
  visit: 'Visits to the site',
  join_page: 'Opened the application',
  begun: 'Started filling it in',
  sent: 'Sent it',
  payment: 'Reached payment',
  paid: 'Paid for the first time',
}

const formNames: Record<string, string> = {
  contact: 'Message to the coaches',
  'coaching-application': 'Coaching application',
  'coaching-booking': 'Call request',
  membership: 'Membership application',
}
export const formName = (form: string): string => formNames[form] ?? form

export const sourceName = (source: string): string => {
  if (source === directSource) return 'Typed in or bookmarked'
  return source === otherSource ? 'Elsewhere' : source.replace(/^[a-z]/, (letter) => letter.toUpperCase())
}

export const pageName = (page: string): string => (page === 'other' ? 'Page not found' : page === '/' ? 'Home' : page)

export function stopText(stopped: readonly number[]): string {
  const most = Math.max(...stopped)
  if (most === 0) return ''
  const at = stopped.indexOf(most)
  return `most at ${at * 10}% to ${(at + 1) * 10}%`
}

export const reasonNames: Record<RiskReason, string> = {
  payment: 'Payment failed',
  card: 'Card expiring',
  quiet: `No video for ${quietDays} days`,
  call: 'Call not used',
}

/** A `mailto:` link with a text owners can send as it is. */
export function mailLink({
  email,
  firstName,
  reason,
}: {
  email: string
  firstName: string | null
  reason: RiskReason
}) {
  const [subject, text] = letters[reason]
  const body = `Hi ${firstName ?? 'there'},\n\n${text}\n`
  return `mailto:${encodeURIComponent(email).replaceAll('%40', '@')}?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(body)}`
}

const letters: Record<RiskReason, readonly [subject: string, text: string]> = {
  payment: [
    'Your last payment didn’t go through',
    'Your last payment didn’t go through. You can pay it under Billing in the members’ area, or ring us and we’ll sort it out.',
  ],
  card: [
    'Your card is about to expire',
    'The card you pay your membership with is about to expire. You can change it under Billing in the members’ area.',
  ],
  quiet: [
    'How are you getting on?',
    'You haven’t watched a video for a while. How are you getting on, and what would help?',
  ],
  call: [
    'Your call this month',
    'Your membership includes a coaching call every month, and you haven’t used the last one. Book it in the members’ area, or ring us for a time.',
  ],
}
