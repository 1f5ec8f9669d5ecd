import type { Client } from '#cli/connection.ts'
import { CliError, exitCodes, usageError } from '#cli/exit-codes.ts'
import { emptyLabel, personLabel } from '#cli/labels.ts'
import { type Output, recordOutput } from '#cli/output.ts'
import { parseMember, request } from '#cli/request.ts'
import { changeRow } from '#cli/rows.ts'
import type { Detail } from '#cli/table.ts'
import { GuaranteePlan, MemberRecord, PaymentRefund } from '#shared/contract/member-record.ts'
import { GuaranteeRefund, MemberRemoval } from '#shared/contract/members.ts'
import { guaranteeDays } from '#shared/rules/guarantee.ts'
import { formatPoundsAndPence } from '#shared/rules/money.ts'
import { unusedText } from '#shared/rules/paid-months.ts'
import { nameOrEmail } from '#shared/rules/person-name.ts'
import { plural } from '#shared/rules/plural.ts'
import { planOf } from './access.ts'
import { memberNamed } from './list.ts'

type RefundFacts = {
  id: string
  name: string
  email: string
  stateLine: string
  /** Null for a refund under the guarantee; otherwise this much of this payment. */
  payment: { paymentId: string; number: string | null; amount: number } | null
  refundable: number
  reason: string | null
  ends: boolean
}

const refund = changeRow<RefundFacts>({
  usage: 'refund <id-or-email>',
  description: `Apply the ${guaranteeDays}-day guarantee: refund a new membership in full and end it, or refund part of a payment`,
  options: [
    ['--invoice <number>', 'refund part or all of this payment instead'],
    ['--amount <pounds>', 'so much of it, including VAT; without it all that is left'],
    ['--reason <text>', 'why; needed with --invoice'],
    ['--end', 'end the membership too'],
  ],
  examples: [
    'refund sam@example.com --dry-run',
    'refund sam@example.com',
    'refund sam@example.com --invoice A-000012 --amount 50 --reason "Two weeks away"',
  ],
  asks: true,
  plan(call) {
    const read = memberNamed(call.argument(0))
    const [number, pounds] = [call.option('invoice'), call.option('amount')]
    const reason = call.option('reason') ?? null
    if (number === undefined && (pounds !== undefined || call.options.end))
      throw usageError('--amount and --end need --invoice.')
    if (number !== undefined && reason === null) throw usageError('--invoice needs --reason.')
    return async (client) => {
      const member = await read(client)
      const { payments } = await request(MemberRecord, client.api.admin.members({ memberId: member.id }).record.get())
      const who = { id: member.id, name: nameOrEmail(member), email: member.email, stateLine: member.stateLine, reason }
      const person = personLabel(who)
      if (number === undefined) {
        const { refundable } = await readGuarantee(client, who, payments)
        const facts = { ...who, payment: null, refundable, ends: true }
        // It was refunded at Stripe directly, or a refund stopped before its last step.
        const isBack = refundable === 0
        const back = isBack
          ? 'everything’s been refunded already'
          : `${formatPoundsAndPence(refundable)} including VAT is refunded`
        const question = isBack
          ? `End the membership of ${person}? Everything’s been refunded already.`
          : `Refund everything ${person} has paid, and end the membership?`
        return planOf(facts, { change: `${back}, and the membership ends`, question })
      }
      const found = payments.find((one) => one.number === number || one.paymentId === number)
      if (found === undefined)
        throw usageError(`${person} has no payment ${number}. See: alliance invoices list --member ${who.email}`)
      const amount = pounds === undefined ? found.refundable : parsePounds(pounds)
      if (amount === 0)
        throw pounds === undefined
          ? new CliError(exitCodes.failed, `There’s nothing left to refund on ${number}.`)
          : usageError('--amount must be more than £0.00.')
      const payment = { paymentId: found.paymentId, number: found.number, amount }
      const facts = { ...who, payment, refundable: found.refundable, ends: Boolean(call.options.end) }
      const ahead = found.unused ? ` (${unusedText(found.unused)})` : ''
      const change = `${formatPoundsAndPence(amount)} including VAT of ${number}${ahead} is refunded${facts.ends ? ', and the membership ends' : ''}`
      return planOf(facts, { change, question: `For ${person}: ${change}?` })
    }
  },
  apply:
    (_call, { id, payment, reason, ends }) =>
    async ({ api }) => {
      const member = api.admin.members({ memberId: id })
      if (payment === null)
        return refundOutput(await request(GuaranteeRefund, member.refund.post(reason === null ? {} : { reason })))
      const { paymentId, amount } = payment
      const body = { id: Bun.randomUUIDv7(), paymentId, amount, reason: reason ?? '', endsMembership: ends }
      const { refunded, left } = await request(PaymentRefund, member.refund.post(body))
      const sentence = `${formatPoundsAndPence(refunded)} of ${payment.number ?? paymentId} has gone back; ${formatPoundsAndPence(left)} of it is left.`
      return { sentence, record: { paymentId, refunded, left } }
    },
})

/** What the guarantee would refund. If it would do nothing there's no plan: the server gives the reason and what's left to do. */
async function readGuarantee(
  { api }: Client,
  { id, email }: { id: string; email: string },
  payments: MemberRecord['payments'],
): Promise<GuaranteePlan> {
  try {
    return await request(GuaranteePlan, api.admin.members({ memberId: id }).refund.get())
  } catch (error) {
    if (!(error instanceof CliError) || error.code !== 'conflict') throw error
    const left = payments.find(({ refundable }) => refundable > 0)
    const next =
      left === undefined
        ? `See: alliance members show ${email}`
        : `To refund a payment: alliance members refund ${email} --invoice ${left.number ?? left.paymentId} --reason <text>`
    throw new CliError(exitCodes.failed, `${error.message} ${next}`)
  }
}

function parsePounds(text: string): number {
  const [, pounds, pence = '0'] = /^£?(\d{1,6})(?:\.(\d\d))?$/.exec(text.trim()) ?? []
  if (pounds === undefined) throw usageError('--amount takes pounds, such as 50 or 49.50.')
  return Number(pounds) * 100 + Number(pence)
}

function refundOutput(refund: GuaranteeRefund): Output {
  const { refunded, subscriptionId } = refund
  const details: Detail[] = [
    { label: 'Refunded', value: `${formatPoundsAndPence(refunded)} including VAT` },
    { label: 'Membership', value: 'ended' },
  ]
  return recordOutput('Money-back guarantee', details, { refunded, subscriptionId }, refund)
}

const remove = changeRow<MemberRemoval>({
  usage: 'remove <id-or-email>',
  description:
    'Permanently delete an account and end its membership straight away, without a refund (invoices are kept)',
  examples: ['remove sam@example.com --dry-run', 'remove sam@example.com'],
  asks: true,
  plan(call) {
    const idOrEmail = parseMember(call.argument(0))
    return async ({ api }) => {
      const member = api.admin.members({ memberId: encodeURIComponent(idOrEmail) })
      const facts = await request(MemberRemoval, member.delete({}, { query: { dryRun: 'true' } }))
      const question = `Permanently remove ${idOrEmail}? ${removalSummary(facts)}`
      return { facts, output: removalOutput(facts), question }
    }
  },
  apply:
    (_call, { memberId }) =>
    async ({ api }) =>
      removalOutput(
        await request(MemberRemoval, api.admin.members({ memberId }).delete({}, { query: { dryRun: 'false' } })),
      ),
})

const removalSummary = (removal: MemberRemoval) =>
  [
    removal.subscriptions > 0 ? 'The membership ends straight away, without a refund.' : 'No active membership.',
    `Deleted: ${deletedLabel(removal)}.`,
    `Kept: ${keptLabel(removal)}.`,
  ].join(' ')

function removalOutput(removal: MemberRemoval): Output {
  const { memberId, subscriptions, goes, stays, dryRun } = removal
  const details: Detail[] = [
    { label: 'Ends', value: countedList([subscriptions, 'membership']) || emptyLabel },
    { label: 'Deleted', value: deletedLabel(removal) },
    { label: 'Kept', value: keptLabel(removal) },
    { label: 'ID', value: memberId, tone: 'muted' },
  ]
  const record = { memberId, subscriptions, ...goes, ...stays }
  return recordOutput(dryRun ? 'Would be removed' : 'Member removed', details, record, removal)
}

const deletedLabel = ({ goes: { sessions, progress, mails } }: MemberRemoval) =>
  ['account', countedList([sessions, 'login'], [progress, 'video tick'], [mails, 'email'])].filter(Boolean).join(', ')

const keptLabel = ({ stays: { invoices, creditNotes, commissionLines, applications, unsentMails } }: MemberRemoval) =>
  countedList(
    [invoices, 'invoice'],
    [creditNotes, 'credit note'],
    [commissionLines, 'commission line'],
    [applications, 'application'],
    [unsentMails, 'unsent email about money', 'unsent emails about money'],
  ) || emptyLabel

const countedList = (...counts: [count: number, one: string, many?: string][]) =>
  counts
    .filter(([count]) => count > 0)
    .map((one) => plural(...one))
    .join(', ')

export const memberMoneyRows = [refund, remove]
