import type { JobReport } from '#shared/contract/jobs.ts'
import { formatMonthAndYear } from './london.ts'

/** What a job's figure counts, where its name alone doesn't say. */
const labels: Record<string, string> = {
  hashMs: 'checking a password takes',
  bytes: 'size',
  pieces: 'parts of films read',
  left: 'left to do',
  isDamaged: 'damage found',
  isShortened: 'log shortened',
  frozen: 'months closed',
  newest: 'newest closed month',
  mended: 'put right',
  reasons: 'why',
  unknown: 'customers we don’t know',
  transactions: 'Stripe transactions',
  users: 'accounts',
  owing: 'members who owe a payment',
  dropped: 'called off',
  limitHits: 'counted attempts deleted',
  dailyCounts: 'old visitor counts deleted',
  idempotencyAnswers: 'stored answers deleted',
  unsentMails: 'unsent emails deleted',
  finalMails: 'last emails to removed members deleted',
  authEntries: 'old logins in the log deleted',
  progressChanges: 'old video ticks deleted',
  commitmentChanges: 'old changes to what members said they’d do deleted',
  callHolds: 'calls no longer held',
  lostQuestionFiles: 'photos and voice notes given up on',
  endedLogins: 'ended logins deleted',
  signInCodes: 'used login codes deleted',
  usedChallenges: 'used passkey checks deleted',
  passwordResets: 'old password links deleted',
  apiTokens: 'old API tokens deleted',
  searchTexts: 'what people were found by before deleted',
}

const words: Record<string, string> = { configured: 'set up', missing: 'not set up', true: 'yes', false: 'no' }

const valueText = (name: string, value: NonNullable<JobReport[string]>): string => {
  if (name === 'newest') return formatMonthAndYear(`${value}-15`)
  if (name === 'hashMs') return `${(Number(value) / 1000).toFixed(1)} s`
  if (name === 'bytes') return `${(Number(value) / 1_000_000).toFixed(1)} MB`
  return words[String(value)] ?? String(value)
}

const labelOf = (name: string) => labels[name] ?? name.replace(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`)

/** A run's report in plain words. Its own names stay in JSON and CSV, for programs. */
export const reportLines = (report: JobReport): { label: string; value: string | null }[] =>
  Object.entries(report).map(([name, value]) => ({
    label: labelOf(name),
    value: value === null ? null : valueText(name, value),
  }))

/** Whether a run failed: its error, or how many of what it went through. */
export const hasFailed = (report: JobReport | null): boolean => Boolean(report?.failed)

/** One line of what a run did: nothing about what it found nothing of. */
export const reportText = (report: JobReport | null): string =>
  reportLines(Object.fromEntries(Object.entries(report ?? {}).filter(([, value]) => value)))
    .map(({ label, value }) => `${label}: ${value}`)
    .join(', ')
