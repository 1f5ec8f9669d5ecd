import type { DoctorFinding, JobProblem, TodayFailure } from '#shared/contract/today.ts'
import { formatLongDate, londonClock } from '#shared/rules/london.ts'
import { formatPoundsAndPence } from '#shared/rules/money.ts'
import { plural } from '#shared/rules/plural.ts'

/** A place of the admin, with what its address asks for; or a member's page. */
export type Target = PlaceTarget | { memberId: string }
export type PlaceTarget = { place: string; search?: Record<string, string> }

/** What is owed, when the card is tried again, and how long there is access. */
export function failureText({ due, nextAttemptAt, hasAccess, graceEndsOn }: TodayFailure): string {
  const tried = nextAttemptAt
    ? `The card will be tried again on ${formatLongDate(nextAttemptAt)}.`
    : 'The card will not be tried again: they need to pay, or use another card.'
  const until = graceEndsOn && `${hasAccess ? 'Access until' : 'Access ended on'} ${formatLongDate(graceEndsOn)}.`
  return [`${formatPoundsAndPence(due)} due.`, tried, until].filter(Boolean).join(' ')
}

const momentOf = (at: string) => `${formatLongDate(at)}, ${londonClock(at)}`

export function jobProblemText({ problem, at }: JobProblem): string {
  if (problem === 'failed') return 'Failed when it last ran.'
  if (at === null) return 'It should have run by now.'
  return problem === 'late'
    ? `Should have run since ${momentOf(at)}.`
    : `On hold until ${momentOf(at)}: the server’s clock was wrong.`
}

export const mailTexts = {
  waiting: (count: number) => `${plural(count, 'email')} waiting to go out`,
  late: (count: number) => `${count} for more than an hour`,
  refused: (count: number) => `${plural(count, 'email')} refused`,
  failed: (count: number) => `${plural(count, 'email')} given up`,
}

type FindingText = { title: string; advice: string; target: PlaceTarget }

/** By the name of the doctor's check: what is wrong as an owner would say it, and where it is put right. */
const findingTexts: Record<string, FindingText> = {
  integrity: {
    title: 'The database is damaged',
    advice:
      'The site has stopped saving. The person who looks after it has to restart it, which checks the database, and to restore a backup where it is damaged still.',
    target: { place: 'jobs' },
  },
  'document numbers': {
    title: 'A number is missing among the invoices or credit notes',
    advice: 'HMRC expects no gaps. Show this to the person who looks after the site before the next invoice goes out.',
    target: { place: 'invoices' },
  },
  'VAT invoices': {
    title: 'A payment without its invoice, or an invoice without an address',
    advice: 'Press “Fix invoices” to make what is missing. Ask the member for a missing address.',
    target: { place: 'members' },
  },
  commission: {
    title: 'An invoice earned the partner no commission',
    advice: 'The month’s statement is too low until that is put right.',
    target: { place: 'statements' },
  },
  subscriptions: {
    title: 'Somebody had two memberships at once',
    advice: 'The second one is cancelled and refunded automatically. Please check that it was.',
    target: { place: 'members' },
  },
  tiers: {
    title: 'A membership is at a price you do not sell',
    advice: 'Somebody changed it at the payment provider. Put the price right there.',
    target: { place: 'revenue' },
  },
  revenue: {
    title: 'The revenue does not add up',
    advice: 'Press “Run now” beside “Compares the books with the payment provider”.',
    target: { place: 'jobs' },
  },
  clock: {
    title: 'The server’s clock is wrong, or was',
    advice: 'The books wait until that is put right. Show this to the person who looks after the server.',
    target: { place: 'jobs' },
  },
  deletions: {
    title: 'Nothing old is deleted until the payment provider answers',
    advice:
      'The server was off for a long time, or its clock is ahead. Show this to the person who looks after the server, who checks the clock.',
    target: { place: 'jobs' },
  },
  syncs: {
    title: 'Some members’ payments may be out of date',
    advice: 'Press “Run now” beside “Compares the books with the payment provider”.',
    target: { place: 'jobs' },
  },
  'provider events': {
    title: 'The site has not caught up with the latest payments',
    advice: 'Press “Run now” beside “Compares the books with the payment provider”.',
    target: { place: 'jobs' },
  },
  'failed payments': {
    title: 'The payment provider gives up on a card too early',
    advice: 'Members are promised 14 days. Change the setting at the payment provider.',
    target: { place: 'members', search: { show: 'payment-due' } },
  },
  payments: {
    title: 'Stripe has a payment that isn’t in the books',
    advice: 'It was taken after the backup that was restored. The command below takes it in.',
    target: { place: 'payments' },
  },
  refunds: {
    title: 'A refund has not reached the member',
    advice:
      'Their bank sent it back, and the money is with the payment provider. Ask the member, then refund the payment there once more, or send the money by bank transfer.',
    target: { place: 'members' },
  },
  disputes: {
    title: 'A bank has asked for a payment back',
    advice:
      'Answer it at Stripe before its last day. Until it’s decided, access and commission stay as they are. If you lose it, run `alliance payments lost <charge>`: that credits the invoice, claws the commission back and ends the membership.',
    target: { place: 'members' },
  },
  seller: {
    title: 'Invoices do not name your business yet',
    advice: 'Fill in your name, address and VAT number under Settings.',
    target: { place: 'settings', search: { group: 'seller' } },
  },
  'mail server': {
    title: 'No email goes out',
    advice: 'The server has no email account yet. Emails wait until it has one.',
    target: { place: 'mail', search: { show: 'waiting' } },
  },
  'nightly backup': {
    title: 'The nightly backup is not in order',
    advice:
      'Press “Run now” beside “Makes the nightly backup”. If this stays, show it to the person who looks after the server.',
    target: { place: 'jobs' },
  },
  'backup files': {
    title: 'A nightly backup is not where it should be',
    advice:
      'Show this to the person who looks after the server: a file is not in the folder of the backups, or is there by a wrong date.',
    target: { place: 'jobs' },
  },
  media: {
    title: 'Pictures or other files of the site are missing or damaged',
    advice: 'Upload them again, or have the person who looks after the server take them from a backup.',
    target: { place: 'media' },
  },
  customers: {
    title: 'Somebody pays for a membership and has no account here',
    advice: 'They cannot get in until the person who looks after the server links the payment to an account.',
    target: { place: 'members' },
  },
  content: {
    title: 'Some words of the site are samples, or do not fit',
    advice: 'Put your own in their place under Words; your address and other particulars are under Settings.',
    target: { place: 'words' },
  },
  folder: {
    title: 'The wrong people can read the server’s files, or the site cannot',
    advice: 'Show this to the person who looks after the server.',
    target: { place: 'jobs' },
  },
  disk: {
    title: 'The server is running out of space',
    advice: 'Show this to the person who looks after the server.',
    target: { place: 'jobs' },
  },
}

export const findingText = ({ check }: Pick<DoctorFinding, 'check'>): FindingText =>
  findingTexts[check] ?? { title: check, advice: '', target: { place: 'jobs' } }
