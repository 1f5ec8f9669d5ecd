import { ask, askPage, typed } from '#cli/ask.ts'
import { type Client, type SharedOptions, withClient } from '#cli/client.ts'
import { exitCodes, Stop, wrongUsage } from '#cli/exit.ts'
import { type Io, say } from '#cli/io.ts'
import { isForScript, print } from '#cli/output.ts'
import { rowsOf } from '#cli/pages.ts'
import { memberMonthsReport, ratesReport, statementReport } from '#cli/reports/commission.ts'
import { doneReport } from '#cli/reports/done.ts'
import { fullName, tierWord } from '#cli/reports/words.ts'
import { AdminMemberDetail } from '#shared/contract/admin.ts'
import { Done } from '#shared/contract/auth.ts'
import {
  CommissionRate,
  CommissionRateList,
  CommissionRateRequest,
  CommissionStatement,
  StatementParams,
} from '#shared/contract/commission.ts'
import { Day, Month } from '#shared/contract/fields.ts'
import { MemberPaymentsList } from '#shared/contract/records.ts'
import { formatLongDate } from '#shared/rules/london.ts'

export type MonthOptions = SharedOptions & { month?: string }

export async function listCommission(io: Io, options: MonthOptions): Promise<void> {
  const month = options.month === undefined ? undefined : typed(Month, options.month, '--month')
  const { rows } = await withClient(io, options, (client) =>
    rowsOf(Infinity, (page) => askPage(MemberPaymentsList, client.api.admin['member-payments'].get({ query: page }))),
  )
  await print(io, options, memberMonthsReport(rows, month))
  const stubs = rows.filter(({ email, monthlyPayments }) => email === '' && monthlyPayments.length > 0)
  if (stubs.length > 0 && !isForScript(options)) {
    await say(io, `Removed members go by their id: ${stubs.map(({ id }) => id).join(', ')}.`)
  }
}

export async function showStatement(io: Io, options: SharedOptions, given: string): Promise<void> {
  const { month } = typed(StatementParams, { month: given }, 'month')
  const statement = await withClient(io, options, (client) => wholeStatement(client, month))
  await print(io, options, statementReport(statement))
}

/** The sums of the first answer, the lines of all pages. */
async function wholeStatement(client: Client, month: string): Promise<CommissionStatement> {
  const sums: CommissionStatement[] = []
  const { rows } = await rowsOf(Infinity, async (page) => {
    const query = { ...page, format: 'json' as const }
    const answer = await askPage(
      CommissionStatement,
      client.api.admin['commission-statements']({ month }).get({ query }),
    )
    sums.push(answer.value)
    return { value: answer.value.lines, next: answer.next }
  })
  const [first] = sums
  if (first === undefined) throw new Error('A statement has at least one page.')
  return { ...first, lines: rows }
}

/** Marks what is due of a member's month as paid, or takes that back. */
export async function setCommissionPaid(
  io: Io,
  options: MonthOptions,
  { idOrEmail, commissionPaid }: { idOrEmail: string; commissionPaid: boolean },
): Promise<void> {
  if (idOrEmail === '') throw wrongUsage('Please name a member by id or e-mail address.')
  const month: { commissionMonth?: string } =
    options.month === undefined ? {} : { commissionMonth: typed(Month, options.month, '--month') }
  const { name, ...done } = await withClient(io, options, async (client) => {
    const { id, name } = await payerCalled(client, idOrEmail)
    const answer = await ask(
      Done,
      client.api.admin['commission-status']({ userId: id }).patch({ commissionPaid, ...month }),
    )
    return { name, ...answer, memberId: id, commissionPaid, commissionMonth: month.commissionMonth ?? null }
  })
  if (isForScript(options)) await print(io, options, doneReport(done))
  else await say(io, `The commission of ${name} is marked as ${commissionPaid ? 'paid' : 'unpaid'}.`)
}

/** A member, or what is left of a removed one: that has no address, only the id that the list shows. */
async function payerCalled(client: Client, idOrEmail: string): Promise<{ id: string; name: string }> {
  try {
    const memberId = encodeURIComponent(idOrEmail)
    const member = await ask(AdminMemberDetail, client.api.admin.member({ memberId }).get())
    return { id: member.id, name: fullName(member) }
  } catch (error) {
    const mayBeStub = error instanceof Stop && error.exitCode === exitCodes.notFound && !idOrEmail.includes('@')
    if (!mayBeStub) throw error
    return { id: encodeURIComponent(idOrEmail), name: 'the removed member' }
  }
}

export async function listRates(io: Io, options: SharedOptions): Promise<void> {
  const rates = await withClient(io, options, (client) =>
    ask(CommissionRateList, client.api.admin['commission-rates'].get()),
  )
  await print(io, options, ratesReport(rates))
}

export type RateOptions = SharedOptions & { from?: string }

export async function setRate(io: Io, options: RateOptions, [tierSlug, rate]: [string, string]): Promise<void> {
  const from = options.from === undefined ? {} : { validFrom: typed(Day, options.from, '--from') }
  const body = typed(CommissionRateRequest, { tierSlug, rate: Number(rate), ...from })
  const set = await withClient(io, options, (client) =>
    ask(CommissionRate, client.api.admin['commission-rates'].post(body)),
  )
  if (isForScript(options)) await print(io, options, doneReport(set))
  else await say(io, `${tierWord(set.tierSlug)}: ${set.rate} % from ${formatLongDate(set.validFrom ?? '')}.`)
}
