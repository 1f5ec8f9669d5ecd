import type { BadgeTone } from '#pwa/ui/badge.tsx'
import type { JobReport, JobState } from '#shared/contract/jobs.ts'
import type { MailStatus, MailStop } from '#shared/contract/mail.ts'
import { londonClock } from '#shared/rules/london.ts'
import { plural } from '#shared/rules/plural.ts'

export const mailStatusLabels: Record<MailStatus, string> = {
  waiting: 'Waiting',
  sending: 'Sending',
  sent: 'Sent',
  refused: 'Refused',
  failed: 'Not delivered',
}

export const mailTones: Record<MailStatus, BadgeTone> = {
  waiting: 'wait',
  sending: 'wait',
  sent: 'ok',
  refused: 'bad',
  failed: 'bad',
}

export const mailStopTexts = {
  title: 'Your mail server isn’t taking our emails',
  advice: ({ waiting, nextAt }: MailStop) =>
    `${plural(waiting, 'email is', 'emails are')} waiting. We’ll try one again at ${londonClock(nextAt)}, and send the rest once it gets through. If it stays like this, ask your email provider why.`,
  server: ({ says }: Pick<MailStop, 'says'>) => `It says: “${says}”`,
}

const jobPurposes: Record<string, string> = {
  mail: 'Sends queued emails',
  mailings: 'Queues each campaign’s next emails',
  'follow-ups': 'Queues the automatic emails',
  notices: 'Sends notices to members’ phones, or an email if one doesn’t arrive',
  heartbeat: 'Records that the server is running',
  'clean-up': 'Deletes what’s no longer needed',
  'month-end': 'Closes last month’s books',
  abandoned: 'Removes accounts that never paid',
  'unpaid-orders': 'Cancels Quotient orders that were never paid',
  unfinished: 'Clears payments that were started and left',
  upgrades: 'Clears tier changes that were started and left',
  'call-reminders': 'Sends call reminders the day before',
  'call-mornings': 'Emails each coach the day’s calls',
  commitments: 'Reminds members of what they said they’d do today',
  'commitment-week': 'Emails you on Mondays what members said they’d do that week',
  'access-ends': 'Tells members who owe a payment when their access ends',
  renewals: 'Tells members before their year renews',
  'card-expiry': 'Tells members their card’s about to expire',
  'free-access': 'Ends free access after its last day, and tells the member',
  'price-moves': 'Sets new prices for the renewals members were told about',
  'new-videos': 'Tells members about new videos',
  'media-pieces': 'Gets films and sounds ready to be kept on phones',
  imports: 'Moves in what you’ve planned under Settings, Move in',
  'media-checks': 'Reads some of your files, to find any that are damaged',
  'question-files': 'Checks the photos and voice notes members send, and makes copies any phone can play',
  'media-versions': 'Makes light videos and audio for phones without signal',
  backup: 'Makes the nightly backup',
  rehearsal: 'Tries each week whether your backups can be restored',
  checkpoint: 'Keeps the database’s log short',
  integrity: 'Checks the database for damage',
  reconcile: 'Syncs with Stripe',
}

export const purposeOf = ({ name }: Pick<JobState, 'name'>) => jobPurposes[name] ?? name

/** Why a job hasn’t done anything yet; null if it has. */
export const waitOf = (report: JobReport | null): string | null =>
  typeof report?.waits === 'string' ? report.waits : null
