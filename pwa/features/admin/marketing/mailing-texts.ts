import type { FormValues } from '#pwa/features/admin/kit/forms/draft-storage.ts'
import type { TierName } from '#pwa/features/admin/kit/tiers/use-tier-names.ts'
import { newKey } from '#pwa/lib/new-key.ts'
import type { BadgeTone } from '#pwa/ui/badge.tsx'
import type {
  AudiencePerson,
  audienceStates,
  LeftOutReason,
  Mailing,
  MailingRecipient,
  MailingReport,
  Segment,
} from '#shared/contract/mailing.ts'
import { formatLongDate, formatMonthAndYear } from '#shared/rules/london.ts'
import { plural } from '#shared/rules/plural.ts'
import { tiersIn, tiersText, valuesOfTiers } from './announcement-texts.ts'

export const stateLabels: Record<(typeof audienceStates)[number], string> = {
  'with-access': 'Members',
  'payment-due': 'Members with a payment due',
  ending: 'Members who’ve cancelled but still have access',
  complimentary: 'Members with free access',
  former: 'Former members',
}

export const statusLabels: Record<Mailing['status'], string> = {
  draft: 'Draft',
  scheduled: 'Scheduled',
  sending: 'On its way',
  paused: 'Paused',
  stopped: 'Stopped',
  sent: 'Sent',
}

export const statusTones: Record<Mailing['status'], BadgeTone> = {
  draft: 'open',
  scheduled: 'wait',
  sending: 'wait',
  paused: 'wait',
  stopped: 'bad',
  sent: 'ok',
}

export const recipientLabels: Record<MailingRecipient['status'], string> = {
  waiting: 'Not sent yet',
  arrived: 'Sent',
  refused: 'Refused',
  failed: 'Not delivered',
  'left-out': 'Left out',
  stopped: 'Not sent: stopped',
}

export const leftOutLabels: Record<LeftOutReason, string> = {
  'not-agreed': 'didn’t agree to news',
  stopped: 'opted out of these emails',
  refused: 'address bounced, or you blocked it',
}

export const purposeLabels: Record<Mailing['purpose'], string> = {
  news: 'News and offers, for people who said yes to them',
  service: 'Their membership, for everyone',
}

export const purposeLines: typeof purposeLabels = {
  news: 'Only people who’ve said yes to news and offers get it',
  service: 'It’s about their membership, so everyone gets it',
}

/** Such as `Members, Standard, nothing done, not seen for 14 days`. */
export function segmentText({ state, tiers, progress, notSeenDays, joined }: Segment, nameOf: TierName): string {
  const parts = [
    stateLabels[state],
    tiers.length > 0 && tiersText(tiers, nameOf),
    progress !== null && (progress === 'nothing' ? 'no videos done' : `at least ${plural(progress, 'video')} done`),
    notSeenDays !== null && `not seen for ${plural(notSeenDays, 'day')}`,
    joined !== null && `joined in ${formatMonthAndYear(`${joined}-15`)}`,
  ]
  return parts.filter((part) => part !== false).join(', ')
}

export function whyText(
  { tier, lessonsDone: videosDone, lastSeenAt, joinedAt }: AudiencePerson,
  nameOf: TierName,
): string {
  const parts = [
    tier === null ? 'No tier' : nameOf(tier),
    `${plural(videosDone, 'video')} done`,
    lastSeenAt === null ? 'never seen' : `seen ${formatLongDate(lastSeenAt)}`,
    `joined ${formatLongDate(joinedAt)}`,
  ]
  return parts.join(', ')
}

/** Leaves out zeros. */
export function reportText(report: MailingReport): string {
  const parts: [number, string][] = [
    [report.arrived, 'sent'],
    [report.waiting, 'not sent yet'],
    [report.refused, 'refused'],
    [report.failed, 'not delivered'],
    [report.leftOut, 'left out'],
    [report.stopped, 'not sent: stopped'],
    [report.gone, 'to accounts since deleted'],
  ]
  const said = parts.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`)
  return said.length === 0 ? 'No one' : said.join(', ')
}

const numberIn = (typed: string | undefined) => (typed ? Number(typed) : null)

export const segmentIn = (typed: FormValues) => ({
  state: typed.state ?? 'with-access',
  tiers: tiersIn(typed),
  progress: typed.progress === 'nothing' ? 'nothing' : typed.progress === 'least' ? numberIn(typed.least) : null,
  notSeenDays: numberIn(typed.notSeenDays),
  joined: typed.joined || null,
})

export const newMailing = (): FormValues => ({ key: newKey(), state: 'with-access', perMinute: '60' })

export const valuesOfSegment = ({ state, tiers, progress, notSeenDays, joined }: Segment): FormValues => ({
  state,
  joined: joined ?? '',
  notSeenDays: String(notSeenDays ?? ''),
  progress: progress === null ? '' : progress === 'nothing' ? 'nothing' : 'least',
  least: typeof progress === 'number' ? String(progress) : '',
  ...valuesOfTiers(tiers),
})

type Wanted = { segment: Segment; purpose: Mailing['purpose'] }

export const audienceAddress = ({ segment: { tiers, state, progress, notSeenDays, joined }, purpose }: Wanted) => ({
  purpose,
  state,
  ...(tiers.length > 0 ? { tiers: tiers.join('.') } : {}),
  ...(progress === null ? {} : { progress }),
  ...(notSeenDays === null ? {} : { notSeenDays }),
  ...(joined === null ? {} : { joined }),
})
