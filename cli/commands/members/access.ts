import { findTier, priceToBook } from '#cli/commands/tiers/list.ts'
import { CliError, exitCodes, usageError } from '#cli/exit-codes.ts'
import { dayLabel, personLabel } from '#cli/labels.ts'
import { recordOutput } from '#cli/output.ts'
import { parseArgument, parseOption, request } from '#cli/request.ts'
import { type CommandRow, changeRow, type Planned } from '#cli/rows.ts'
import type { Detail, FlatRecord } from '#cli/table.ts'
import { BillingSubscription } from '#shared/contract/billing.ts'
import { Day } from '#shared/contract/fields.ts'
import { MemberRecord } from '#shared/contract/member-record.ts'
import { AdminMemberDetail } from '#shared/contract/members.ts'
import { PricePeriod, TierSlug } from '#shared/contract/tier.ts'
import { londonDay } from '#shared/rules/london.ts'
import { nameOrEmail } from '#shared/rules/person-name.ts'
import { putOffTo } from '#shared/rules/renewal-notices.ts'
import { stateLine } from '#shared/rules/state-line.ts'
import { everyOfPeriod, priceText } from '#shared/rules/tier-prices.ts'
import { memberNamed } from './list.ts'

type Facts = { id: string; name: string; email: string; stateLine: string; hasAccess: boolean }

const factsOf = (member: AdminMemberDetail): Facts => ({
  id: member.id,
  name: nameOrEmail(member),
  email: member.email,
  stateLine: member.stateLine,
  hasAccess: member.isMember,
})

export function planOf<Plan extends { name: string; email: string; stateLine: string }>(
  facts: Plan,
  { change, question }: { change: string; question: string | null },
): Planned<Plan> {
  const details: Detail[] = [
    { label: 'Member', value: personLabel(facts) },
    { label: 'Now', value: facts.stateLine },
    { label: 'Then', value: change },
  ]
  const record = { name: facts.name, email: facts.email, now: facts.stateLine, change }
  return { facts, output: recordOutput('Plan', details, record, facts), question }
}

const outcomeOf = (member: AdminMemberDetail, sentence: string) => ({
  sentence: `${sentence} ${member.stateLine}`,
  record: {
    id: member.id,
    email: member.email,
    isMember: member.isMember,
    stateLine: member.stateLine,
  } satisfies FlatRecord,
})

/** A payment is coming, or a failed one will be retried. */
const isCharged = ({ status, nextBillingOn }: AdminMemberDetail) => nextBillingOn !== null || status === 'past_due'

function overrideRow(name: 'revoke' | 'restore'): CommandRow {
  const isMember = name === 'restore'
  const ended = 'access and every login end straight away'
  return changeRow<Facts & { cancels: boolean }>({
    usage: `${name} <id-or-email>`,
    description: isMember
      ? 'Restore a member’s access'
      : 'End a member’s access straight away; Stripe keeps charging them unless you add --cancel',
    options: isMember ? [] : [['--cancel', 'cancel the membership too, so no more payments are taken']],
    examples: [...['', ' --dry-run'], ...(isMember ? [] : [' --cancel'])].map((by) => `${name} sam@example.com${by}`),
    asks: true,
    plan: (call) => {
      const read = memberNamed(call.argument(0))
      return async (client) => {
        const member = await read(client)
        const facts = { ...factsOf(member), cancels: Boolean(call.options.cancel) }
        const charged = facts.cancels
          ? `${ended}; the membership is cancelled`
          : `${ended}; Stripe keeps charging them (--cancel stops it)`
        const change = isMember ? 'access is restored' : isCharged(member) ? charged : ended
        const more = facts.cancels ? ', and cancel the membership' : ''
        const question = `${isMember ? 'Restore' : 'Revoke'} the access of ${personLabel(facts)}${more}?`
        return planOf(facts, { change, question })
      }
    },
    apply:
      (_call, { id, name, cancels }) =>
      async (client) => {
        const body = { isMember, ...(cancels ? { cancels } : {}) }
        const patch = client.api.admin.members({ memberId: id })['revoke-access'].patch(body)
        return outcomeOf(
          await request(AdminMemberDetail, patch),
          `${name}: access ${isMember ? 'restored' : 'revoked'}${cancels ? ', membership cancelled' : ''}.`,
        )
      },
  })
}

type FreeFacts = Facts & {
  freeAccess: MemberRecord['freeAccess']
  isNextFree: boolean
  version: number
  until: string | null
  ends: boolean
  month: boolean | null
}

const free = changeRow<FreeFacts>({
  usage: 'free <id-or-email>',
  description: 'Give free access, with or without an end date, or make the next payment free (--end undoes it)',
  options: [
    ['--until <day>', 'last day, such as 2026-12-31'],
    ['--for-good', 'without an end'],
    ['--month', 'make the next payment free instead'],
    ['--end', 'end the free access, or with --month undo the free month'],
  ],
  examples: ['free sam@example.com --until 2026-12-31', 'free sam@example.com --month', 'free sam@example.com --end'],
  asks: true,
  plan(call) {
    const read = memberNamed(call.argument(0))
    const [month, ends, forGood] = [call.options.month, call.options.end, call.options.forGood].map(Boolean)
    const given = call.option('until')
    const until = given === undefined ? null : parseArgument(Day, given, '--until')
    const said = [until !== null, forGood, ends || month].filter(Boolean).length
    if (said !== 1) throw usageError('Say one of --until <day>, --for-good, --month and --end.')
    if (until !== null && until < londonDay(call.io.now())) throw usageError('The last day can’t be before today.')
    return async (client) => {
      const member = await read(client)
      const { freeAccess, accessVersion, billing } = await request(
        MemberRecord,
        client.api.admin.members({ memberId: member.id }).record.get(),
      )
      const given = { freeAccess, isNextFree: billing.isNextFree === true }
      const facts = {
        ...factsOf(member),
        ...given,
        version: accessVersion,
        until,
        ends: Boolean(ends),
        month: month ? !ends : null,
      }
      return planOf(facts, { change: freeLabel(facts), question: freeQuestion(facts) })
    }
  },
  apply:
    (_call, { id, name, until, ends, month, version }) =>
    async ({ api }) => {
      const member = api.admin.members({ memberId: id })
      if (month !== null) {
        const billing = await request(BillingSubscription, member['free-month'].put({ isFree: month }))
        const line = stateLine(billing)
        return { sentence: `${name}: ${line}`, record: { id, isNextFree: month, stateLine: line } }
      }
      const call = ends ? member['free-access'].delete() : member['free-access'].put({ until, version })
      return outcomeOf(await request(AdminMemberDetail, call), `${name}: free access ${ends ? 'ended' : 'given'}.`)
    },
})

function freeLabel({ until, ends, month }: Pick<FreeFacts, 'until' | 'ends' | 'month'>): string {
  if (month !== null) return month ? 'the next payment is free' : 'the next payment goes ahead as usual'
  if (ends) return 'the free access ends'
  return until === null ? 'access is free, with no end date' : `access is free until ${dayLabel(until)}`
}

function freeQuestion(facts: FreeFacts): string {
  const who = personLabel(facts)
  if (facts.month !== null)
    return facts.month ? `Make the next payment of ${who} free?` : `Take the next payment of ${who} as usual?`
  if (facts.ends) return `End the free access of ${who}?`
  return facts.until === null
    ? `Give ${who} free access with no end date?`
    : `Give ${who} free access until ${dayLabel(facts.until)}?`
}

type PutOffFacts = Facts & { from: string; to: string }

const putOff = changeRow<PutOffFacts>({
  usage: 'put-off <id-or-email>',
  description: 'Put a year’s renewal off by a month; they keep their access and pay nothing until then',
  examples: ['put-off sam@example.com --dry-run', 'put-off sam@example.com'],
  asks: true,
  plan(call) {
    const read = memberNamed(call.argument(0))
    return async (client) => {
      const member = await read(client)
      const from = member.nextBillingOn
      if (from === null) throw new CliError(exitCodes.failed, 'There’s no renewal to put off.')
      const to = londonDay(new Date(putOffTo(`${from}T12:00:00.000Z`)))
      const facts = { ...factsOf(member), from, to }
      return planOf(facts, {
        change: `the renewal moves from ${dayLabel(from)} to ${dayLabel(to)}`,
        question: `Put off the renewal of ${personLabel(facts)} to ${dayLabel(to)}?`,
      })
    }
  },
  apply:
    (_call, { id, name, from }) =>
    async ({ api }) => {
      const billing = await request(BillingSubscription, api.admin.members({ memberId: id })['put-off'].post({ from }))
      const line = stateLine(billing)
      return { sentence: `${name}: ${line}`, record: { id, stateLine: line } }
    },
})

type TierFacts = Facts & { from: string | null; next: string | null; to: TierSlug | null; priceId: string | null }

const tier = changeRow<TierFacts>({
  usage: 'tier <id-or-email> [tier]',
  description: 'Change the tier, or how often they pay, from the next payment ("subscriptions upgrade" does it today)',
  options: [
    ['--every <month|year>', 'pay by the month or the year; without it, as they do now where the tier has that price'],
    ['--undo', 'undo the booked change'],
  ],
  examples: [
    'tier sam@example.com xl --dry-run',
    'tier sam@example.com xl',
    'tier sam@example.com standard --every year',
    'tier sam@example.com --undo',
  ],
  asks: true,
  plan(call) {
    const read = memberNamed(call.argument(0))
    const given = call.argument(1)
    if (Boolean(given) === Boolean(call.options.undo)) throw usageError('Name a tier, or use --undo.')
    const to = call.options.undo ? null : parseArgument(TierSlug, given.toLowerCase())
    const asked = parseOption(PricePeriod, call.option('every'), '--every')
    return async (client) => {
      const member = await read(client)
      const { billing } = await request(MemberRecord, client.api.admin.members({ memberId: member.id }).record.get())
      const { plan, nextPlan } = billing
      const [from, next] = [plan?.slug ?? null, nextPlan?.slug ?? null]
      const now = plan === null ? undefined : everyOfPeriod(plan)
      const isKept = to === from && (asked ?? now) === now
      // Their price may not be sold any more. It's named all the same: without a name the month's is meant.
      const facts = { ...factsOf(member), from, next, to, priceId: plan?.priceId ?? null }
      // Choosing what they already have cancels what they've booked.
      if (to === null || (isKept && next !== null)) {
        const question = `Undo the tier change ${personLabel(facts)} has booked?`
        return planOf(facts, { change: 'the booked tier change is undone', question })
      }
      const tier = await findTier(client, to)
      if (isKept) return planOf(facts, { change: `no change: it’s ${tier.name}`, question: null })
      const price = priceToBook(tier, { asked, plan })
      const what = `${tier.name}, ${priceText(price)},`
      const question = `Book ${what} for ${personLabel(facts)}, from the next payment?`
      return planOf({ ...facts, priceId: price.id }, { change: `${what} from the next payment`, question })
    }
  },
  apply:
    (_call, { id, name, to, priceId }) =>
    async ({ api }) => {
      const { tier } = api.admin.members({ memberId: id }).subscription
      const body = (tierSlug: TierSlug) => ({ tierSlug, ...(priceId === null ? {} : { priceId }) })
      const billing = await request(BillingSubscription, to === null ? tier.delete() : tier.post(body(to)))
      const line = stateLine(billing)
      return { sentence: `${name}: ${line}`, record: { id, nextTier: billing.nextPlan?.slug ?? null, stateLine: line } }
    },
})

export const memberAccessRows = [overrideRow('revoke'), overrideRow('restore'), free, putOff, tier]
