import type { PlaceTarget } from '#pwa/features/admin/kit/part.tsx'
import type { DoctorFinding, JobProblem } from '#shared/contract/today.ts'
import { formatMoment } from '#shared/rules/london.ts'
import { plural } from '#shared/rules/plural.ts'

export function jobProblemText({ problem, at }: JobProblem): string {
  if (problem === 'failed') return 'The last run failed.'
  if (at === null) return 'It should have run by now.'
  return problem === 'late'
    ? `Overdue since ${formatMoment(at)}.`
    : `On hold until ${formatMoment(at)}: the server’s clock was wrong.`
}

export const mailTexts = {
  late: (count: number) => `${plural(count, 'email')} over an hour late`,
  refused: (count: number) => `${plural(count, 'email')} refused`,
  failed: (count: number) => `${plural(count, 'email')} failed`,
}

/** `run`: a job that fixes it, offered as a button. `host`: what the host does, folded away. */
type FindingText = {
  title: string
  /** The check’s own message is for owners, and the advice follows it. */
  isPlain?: boolean
  advice: string
  target: PlaceTarget
  run?: { job: string; label: string }
  host?: string
}

const sync = { job: 'reconcile', label: 'Sync with Stripe' }

/** Key: the name of the `alliance doctor` check. */
const findingTexts: Record<string, FindingText> = {
  integrity: {
    title: 'The site can’t save',
    advice: 'Tell whoever hosts your site now. Below is what to do, so nothing’s lost.',
    target: { place: 'jobs' },
  },
  'document numbers': {
    title: 'There’s a gap in your invoice numbers',
    advice: 'HMRC expects none. Tell whoever hosts your site before the next invoice goes out.',
    target: { place: 'invoices' },
  },
  'VAT invoices': {
    title: 'An invoice is missing',
    advice: 'Press “Fix invoices” to issue it.',
    target: { place: 'members' },
  },
  'invoice addresses': {
    title: 'An invoice has no address',
    isPlain: true,
    advice: 'Ask them, then add it to their record.',
    target: { place: 'invoices', search: { show: 'no-address' } },
  },
  'credit on balances': {
    title: 'Credit on a balance at Stripe',
    isPlain: true,
    advice: 'See Credit on their page.',
    target: { place: 'members' },
  },
  'addresses at Stripe': {
    title: 'Stripe has another email',
    isPlain: true,
    advice: 'Say on their page which one counts.',
    target: { place: 'members' },
  },
  'memberships to come': {
    title: 'A membership starts later',
    isPlain: true,
    advice: 'Change or cancel it in Stripe.',
    target: { place: 'members' },
  },
  'Stripe’s emails': {
    title: 'Does Stripe email members before they renew?',
    advice:
      'We do, so they’d get two. Switch its emails off in Stripe, under Settings, Subscriptions and emails. Then say so in Settings.',
    target: { place: 'settings', search: { group: 'emails' } },
  },
  renewals: {
    title: 'A year’s about to renew, and they haven’t been told',
    isPlain: true,
    advice: 'Ring them, or put the renewal off by a month.',
    target: { place: 'members' },
  },
  'unused days': {
    title: 'Unused days to refund',
    isPlain: true,
    advice: 'Open their record and press Refund on the payment.',
    target: { place: 'members' },
  },
  'kept drafts': {
    title: 'An invoice is a draft at Stripe',
    isPlain: true,
    advice: 'We won’t touch it.',
    target: { place: 'members' },
  },
  'lines without VAT': {
    title: 'Stripe charged something without a VAT rate',
    advice: 'We’ve counted 20% VAT as included. Add the tax rate to that subscription at Stripe.',
    target: { place: 'invoices' },
  },
  commission: {
    title: 'An invoice earned no commission',
    advice: 'This month’s statement is too low until that’s fixed.',
    target: { place: 'statements' },
  },
  subscriptions: {
    title: 'A member had two subscriptions',
    advice: 'We cancel and refund the second one automatically. Check it’s gone.',
    target: { place: 'members' },
  },
  tiers: {
    title: 'A subscription’s price has no tier',
    advice:
      'In Stripe, give its price the metadata “tier” with the tier’s short name, such as xl. Then ask whoever hosts your site to sync the member.',
    target: { place: 'revenue' },
  },
  revenue: {
    title: 'MRR doesn’t add up',
    advice: 'Syncing usually fixes it.',
    target: { place: 'jobs' },
    run: sync,
  },
  clock: {
    title: 'The server’s clock is wrong, or was',
    advice: 'Books and payments are on hold. Tell whoever hosts your site.',
    target: { place: 'jobs' },
  },
  deletions: {
    title: 'Old data isn’t being deleted',
    advice:
      'The server was off for a long time, or its clock is ahead. Ask whoever hosts your site to check the clock.',
    target: { place: 'jobs' },
  },
  syncs: {
    title: 'Some payments may be out of date',
    advice: 'Syncing usually fixes it.',
    target: { place: 'jobs' },
    run: sync,
  },
  'provider events': {
    title: 'We’re behind on the latest payments',
    advice: 'Syncing usually fixes it.',
    target: { place: 'jobs' },
    run: sync,
  },
  'failed payments': {
    title: 'Stripe stops retrying cards too early',
    advice: 'You promise members 14 days. Change the retry setting in Stripe.',
    target: { place: 'members', search: { show: 'payment-due' } },
  },
  payments: {
    title: 'Stripe has a payment that isn’t in the books',
    advice: 'It came in after the backup you restored. Ask whoever hosts your site to add it.',
    target: { place: 'payments' },
  },
  refunds: {
    title: 'A refund bounced',
    advice:
      'Their bank sent it back, so the money is in Stripe. Ask the member, then refund it again there or pay by bank transfer.',
    target: { place: 'members' },
  },
  disputes: {
    title: 'A member has disputed a payment',
    advice:
      'Answer it in Stripe before the deadline. Until it’s decided, access and commission don’t change. If you lose, whoever hosts your site credits the invoice, claws the commission back and ends the membership.',
    target: { place: 'members' },
  },
  seller: {
    title: 'Your invoices don’t name your business',
    advice: 'Add your name, address and VAT number in Settings.',
    target: { place: 'settings', search: { group: 'seller' } },
  },
  'VAT number': {
    title: 'Your VAT number looks mistyped',
    advice: 'It’s on your invoices as you typed it. Compare it with your certificate, and correct it in Settings.',
    target: { place: 'settings', search: { group: 'seller' } },
  },
  'mail server': {
    title: 'Emails aren’t going out',
    advice: 'Set up an email account on the server. We’ll keep unsent emails until then.',
    target: { place: 'mail', search: { show: 'waiting' } },
  },
  push: {
    title: 'Notices aren’t reaching members’ phones',
    advice: 'Set your contact email in Settings. If it’s there, tell whoever hosts your site.',
    target: { place: 'settings', search: { group: 'seller' } },
  },
  'nightly backup': {
    title: 'Last night’s backup is missing or failed',
    advice: 'Back up now. If this comes back, tell whoever hosts your site.',
    target: { place: 'jobs' },
    run: { job: 'backup', label: 'Back up now' },
  },
  'backup schedule': {
    title: 'No nightly backup is scheduled',
    advice: 'Ask whoever hosts your site to schedule one.',
    host: 'Run: alliance backup schedule 03:15',
    target: { place: 'jobs' },
  },
  'backup files': {
    title: 'A backup file is missing or has the wrong date',
    advice: 'Ask whoever hosts your site to check the backup folder.',
    target: { place: 'jobs' },
  },
  rehearsal: {
    title: 'We couldn’t test-restore your backup or its live copy',
    advice: 'Try again. If it fails again, tell whoever hosts your site.',
    target: { place: 'jobs' },
    run: { job: 'rehearsal', label: 'Try again' },
  },
  media: {
    title: 'Some pictures or files are missing or damaged',
    advice:
      'Upload them again, or ask whoever hosts your site to restore them from a backup. We make our own light videos again at night.',
    target: { place: 'media' },
  },
  customers: {
    title: 'A paying customer has no account',
    advice: 'They can’t log in until whoever hosts your site links the payment to an account.',
    target: { place: 'members' },
  },
  content: {
    title: 'Some of your content is sample text, or has a mistake in it',
    advice: 'Write your own in Content. Your address and other details are in Settings.',
    target: { place: 'words' },
  },
  folder: {
    title: 'Check the server’s file permissions',
    advice: 'The wrong people can read its files, or the site can’t. Tell whoever hosts your site.',
    target: { place: 'jobs' },
  },
  disk: {
    title: 'The server is running out of space',
    advice: 'Tell whoever hosts your site.',
    target: { place: 'jobs' },
  },
}

export const findingText = ({ check }: Pick<DoctorFinding, 'check'>): FindingText =>
  findingTexts[check] ?? { title: check, advice: '', target: { place: 'jobs' } }
