import type { Context } from '#api/context.ts'
import { personOfCustomer } from '#api/db/whose.ts'
import { readFigures } from '#api/features/revenue/month-rules.ts'
import { streamedText } from '#api/http/streamed-text.ts'
import type { CommissionStatement, commissionKinds, StatementLine } from '#shared/contract/commission.ts'
import { csvRow } from '#shared/rules/csv.ts'

type Kind = (typeof commissionKinds)[number]

function prepare({ sqlite }: Context) {
  return {
    frozenBefore: sqlite.prepare<[string], { month: string; figures: string }>(
      'select month, figures from revenue_months where month < ? order by month desc limit 1',
    ),
    isFrozen: sqlite.prepare<[string], { month: string }>('select month from revenue_months where month = ?'),
    between: sqlite.prepare<[string, string], { amount: number }>(
      'select coalesce(sum(amount), 0) as amount from commission_ledger where month > ? and month < ?',
    ),
    sums: sqlite.prepare<[string], { kind: Kind; amount: number }>(
      'select kind, sum(amount) as amount from commission_ledger where month = ? group by kind',
    ),
    lines: sqlite.prepare<[string, string, number], StatementLine>(
      `select line.id, line.kind, line.createdAt as bookedAt, line.paymentMonth,
         case when line.customerId is null then null when users.id is null then 'Removed member'
           else coalesce(nullif(trim(coalesce(users.firstName, '') || ' ' || coalesce(users.lastName, '')), ''), users.email) end as member,
         coalesce(invoices.number, manual_commissions.description) as about, line.tierSlug as tier, line.net, line.rate,
         line.amount, line.dueOn
       from commission_ledger line
         left join customers on customers.id = line.customerId left join users on users.id = ${personOfCustomer()}
         left join invoices on invoices.id = line.invoiceId
         left join manual_commissions on manual_commissions.id = line.manualCommissionId
       where line.month = ? and line.id > ? order by line.id limit ?`,
    ),
  }
}

const kept = new WeakMap<Context, ReturnType<typeof prepare>>()
function statements(ctx: Context) {
  const found = kept.get(ctx) ?? prepare(ctx)
  kept.set(ctx, found)
  return found
}

type Page = { limit: number; cursor: string | undefined }

/** The sums of a month and a page of its lines; `next` is the cursor of the page after it. */
export function commissionStatement(
  ctx: Context,
  month: string,
  { limit, cursor }: Page,
): { statement: CommissionStatement; next: string | null } {
  const { sums, isFrozen, lines } = statements(ctx)
  const byKind = new Map(sums.all(month).map(({ kind, amount }) => [kind, amount]))
  const sum = (kind: Kind) => byKind.get(kind) ?? 0
  const opening = openingOf(ctx, month)
  const found = lines.all(month, cursor ?? '', limit + 1)
  const page = found.slice(0, limit)
  return {
    statement: {
      ...{ month, partner: ctx.settings.salesPartner, isFrozen: isFrozen.get(month) !== undefined, opening },
      ...{ earned: sum('invoice'), clawBacks: sum('clawback'), upSells: sum('upsell'), reversals: sum('reversal') },
      payments: sum('payment'),
      closing: [...byKind.values()].reduce((total, amount) => total + amount, opening),
      lines: page,
    },
    next: found.length > limit ? (page.at(-1)?.id ?? null) : null,
  }
}

/** What was owed when the month began: as the last month frozen before it ended, and what was booked since. */
function openingOf(ctx: Context, month: string): number {
  const { frozenBefore, between } = statements(ctx)
  const frozen = frozenBefore.get(month)
  const kept = frozen === undefined ? 0 : (readFigures(frozen.figures).commission ?? 0)
  return kept + (between.get(frozen?.month ?? '', month)?.amount ?? 0)
}

const head = ['kind', 'bookedAt', 'paymentMonth', 'member', 'about', 'tier', 'netPence', 'rate', 'amountPence', 'dueOn']
const linesAtOnce = 100

/** The whole statement as CSV: opening, lines, closing. */
export const statementCsv = (ctx: Context, month: string): Response =>
  new Response(streamedText(csvRows(ctx, month)), {
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="commission-${month}.csv"`,
      'cache-control': 'no-store',
    },
  })

function* csvRows(ctx: Context, month: string): Generator<string, void, undefined> {
  const { statement } = commissionStatement(ctx, month, { limit: 1, cursor: undefined })
  const sumRow = (kind: string, amount: number) =>
    csvRow([kind, null, month, null, null, null, null, null, amount, null])
  yield csvRow(head) + sumRow('opening', statement.opening)
  let closing = statement.opening
  for (let cursor: string | undefined = ''; cursor !== undefined; ) {
    const lines: StatementLine[] = statements(ctx).lines.all(month, cursor, linesAtOnce)
    closing += lines.reduce((sum, { amount }) => sum + amount, 0)
    yield lines.map(toCsv).join('')
    cursor = lines.length < linesAtOnce ? undefined : lines.at(-1)?.id
  }
  yield sumRow('closing', closing)
}

const toCsv = ({ kind, bookedAt, paymentMonth, member, about, tier, net, rate, amount, dueOn }: StatementLine) =>
  csvRow([kind, bookedAt, paymentMonth, member, about, tier, net, rate, amount, dueOn])
