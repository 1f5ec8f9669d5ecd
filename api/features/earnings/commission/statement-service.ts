import { and, asc, count, eq, gt, lt, sql } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { nameOrRemoved, userIdOfCustomer } from '#api/db/customers.ts'
import { nullable, total } from '#api/db/expressions.ts'
import { preparedQuery } from '#api/db/query.ts'
import { commissionLedger, manualCommissions } from '#api/db/schema/commission.ts'
import { customers } from '#api/db/schema/customers.ts'
import { invoices } from '#api/db/schema/invoices.ts'
import { users } from '#api/db/schema/people.ts'
import { membershipTiers } from '#api/db/schema/tiers.ts'
import { renderPdf } from '#api/documents/pdf-renderer.ts'
import type { StatementDocument } from '#api/documents/statement-pdf.ts'
import { isClosed, lastClosedBefore } from '#api/features/earnings/revenue/month-queries.ts'
import { logoForDocument } from '#api/features/media/photograph-service.ts'
import { withKeyLock } from '#api/serving/key-lock.ts'
import { contentOf } from '#api/site/content.ts'
import { siteSettings } from '#api/site/settings.ts'
import type { CommissionStatement, StatementLine } from '#shared/contract/commission.ts'
import {
  balanceCells,
  statementClosing,
  statementColumns,
  statementKinds,
  statementState,
  statementSums,
} from '#shared/rules/commission-statement.ts'
import { csvRow, withByteOrderMark } from '#shared/rules/csv.ts'
import { formatLongDate, formatMonthAndYear } from '#shared/rules/london.ts'
import { formatPoundsAndPence } from '#shared/rules/money.ts'
import type { Line } from './ledger-queries.ts'

const sumsByKind = preparedQuery<{ month: string }>()((db, { month }) =>
  db
    .select({ kind: commissionLedger.kind, amount: total(commissionLedger.amount), lines: count() })
    .from(commissionLedger)
    .where(eq(commissionLedger.month, month))
    .groupBy(commissionLedger.kind),
)

const sumBetween = preparedQuery<{ after: string; before: string }>()((db, { after, before }) =>
  db
    .select({ amount: total(commissionLedger.amount) })
    .from(commissionLedger)
    .where(and(gt(commissionLedger.month, after), lt(commissionLedger.month, before))),
)

const statementLines = preparedQuery<{ month: string; after: string; limit: number }>()((db, { month, after, limit }) =>
  db
    .select({
      id: commissionLedger.id,
      kind: commissionLedger.kind,
      bookedAt: commissionLedger.createdAt,
      paymentMonth: commissionLedger.paymentMonth,
      member: nullable(
        users.email,
        sql`case when ${commissionLedger.customerId} is null then null else ${nameOrRemoved} end`,
      ),
      memberId: users.id,
      about: nullable(invoices.number, sql`coalesce(${invoices.number}, ${manualCommissions.description})`),
      tier: commissionLedger.tierSlug,
      tierName: membershipTiers.name,
      net: commissionLedger.net,
      rate: commissionLedger.rate,
      amount: commissionLedger.amount,
      dueOn: commissionLedger.dueOn,
    })
    .from(commissionLedger)
    .leftJoin(customers, eq(customers.id, commissionLedger.customerId))
    .leftJoin(users, eq(users.id, userIdOfCustomer()))
    .leftJoin(invoices, eq(invoices.id, commissionLedger.invoiceId))
    .leftJoin(membershipTiers, eq(membershipTiers.slug, commissionLedger.tierSlug))
    .leftJoin(manualCommissions, eq(manualCommissions.id, commissionLedger.manualCommissionId))
    .where(and(eq(commissionLedger.month, month), gt(commissionLedger.id, after)))
    .orderBy(asc(commissionLedger.id))
    .limit(limit),
)

type Page = { limit: number; cursor: string | undefined }

/** A month's totals and one page of its lines. `next` is the next page's cursor, `total` the month's line count. */
export function commissionStatement(
  ctx: Context,
  month: string,
  { limit, cursor }: Page,
): { statement: CommissionStatement; next: string | null; total: number } {
  const sums = sumsByKind.all(ctx, { month })
  const byKind = new Map(sums.map(({ kind, amount }) => [kind, amount]))
  const sum = (kind: Line['kind']) => byKind.get(kind) ?? 0
  const opening = openingOf(ctx, month)
  const found = statementLines.all(ctx, { month, after: cursor ?? '', limit: limit + 1 })
  const page = found.slice(0, limit)
  return {
    statement: {
      month,
      partner: siteSettings(ctx).salesPartner,
      isFrozen: isClosed(ctx, month),
      opening,
      earned: sum('invoice'),
      clawBacks: sum('clawback'),
      upSells: sum('upsell'),
      reversals: sum('reversal'),
      payments: sum('payment'),
      closing: [...byKind.values()].reduce((total, amount) => total + amount, opening),
      lines: page,
    },
    next: found.length > limit ? (page.at(-1)?.id ?? null) : null,
    total: sums.reduce((count, { lines }) => count + lines, 0),
  }
}

/** What was owed when the month began: the last closed month's closing balance, plus what was booked since. */
function openingOf(ctx: Context, month: string): number {
  const closed = lastClosedBefore(ctx, month)
  const since = sumBetween.get(ctx, { after: closed?.month ?? '', before: month })
  return (closed?.figures.commission ?? 0) + (since?.amount ?? 0)
}

const linesPerPage = 100

export const statementCsv = (ctx: Context, month: string) => ({
  pieces: withByteOrderMark(csvRows(ctx, month)),
  headers: {
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': `attachment; filename="commission-${month}.csv"`,
  },
})

/** `by` is the owner who asks: we draw one file at a time for each. */
export async function statementPdf(ctx: Context, month: string, by: string): Promise<Response> {
  const { fileName, bytes } = await withKeyLock(ctx, `pdf:${by}`, () => statementFile(ctx, month))
  return new Response(bytes, {
    headers: {
      'content-type': 'application/pdf',
      'content-disposition': `attachment; filename="${fileName}"`,
    },
  })
}

export async function statementFile(ctx: Context, month: string) {
  const document = statementDocument(ctx, month)
  const logo = await logoForDocument(ctx, contentOf(ctx).read().site.brand.logo)
  return { fileName: `commission-${month}.pdf`, bytes: await renderPdf(document, logo) }
}

function statementDocument(ctx: Context, month: string): StatementDocument {
  const { statement } = commissionStatement(ctx, month, { limit: 1, cursor: undefined })
  return {
    kind: 'statement',
    title: `Commission statement, ${formatMonthAndYear(`${month}-15`)}`,
    seller: siteSettings(ctx).seller.name,
    accent: contentOf(ctx).read().site.brand.colours.accent,
    remarks: [statement.partner, `${statementState(statement)} Amounts are without VAT.`],
    sums: statementSums(statement),
    closing: statementClosing(statement),
    lines: [...pagesOf(ctx, month)].flat().map(printedCells),
    createdAt: ctx.billingNow().toISOString(),
  }
}

const printedCells = ({ kind, member, about, bookedAt, net, rate, amount, dueOn }: StatementLine): string[] => [
  [statementKinds[kind], member, about].filter(Boolean).join(', '),
  formatLongDate(bookedAt),
  formatPoundsAndPence(net),
  rate === null ? '' : `${rate}%`,
  formatPoundsAndPence(amount),
  dueOn,
]

function* pagesOf(ctx: Context, month: string): Generator<StatementLine[], void, undefined> {
  for (let cursor: string | undefined = ''; cursor !== undefined; ) {
    const lines: StatementLine[] = statementLines.all(ctx, { month, after: cursor, limit: linesPerPage })
    yield lines
    cursor = lines.length < linesPerPage ? undefined : lines.at(-1)?.id
  }
}

function* csvRows(ctx: Context, month: string): Generator<string, void, undefined> {
  const { statement } = commissionStatement(ctx, month, { limit: 1, cursor: undefined })
  yield csvRow(statementColumns.map(({ name }) => name)) + csvRow(balanceCells('opening', month, statement.opening))
  let closing = statement.opening
  for (const lines of pagesOf(ctx, month)) {
    closing += lines.reduce((sum, { amount }) => sum + amount, 0)
    yield lines.map((line) => csvRow(statementColumns.map(({ cell }) => cell(line)))).join('')
  }
  yield csvRow(balanceCells('closing', month, closing))
}
