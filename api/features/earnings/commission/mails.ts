import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { AppError } from '#api/errors.ts'
import type { Owner } from '#api/identity/person.ts'
import { queueMessage } from '#api/mail/outbox.ts'
import { type Message, paragraph } from '#api/mail/templates/layout.ts'
import { runOncePerKey } from '#api/serving/idempotency.ts'
import { contentOf } from '#api/site/content.ts'
import { siteSettings } from '#api/site/settings.ts'
import { type CommissionStatement, StatementMailed } from '#shared/contract/commission.ts'
import { statementClosing, statementState, statementSums } from '#shared/rules/commission-statement.ts'
import { formatMonthAndYear } from '#shared/rules/london.ts'
import { formatPoundsAndPence } from '#shared/rules/money.ts'
import { commissionStatement } from './statement-service.ts'

type Asked = { month: string; key: string | undefined }

/** Mails the sales partner the statement as a PDF. Repeating a request with the same key mails nothing. */
export function mailStatement(ctx: Context, owner: Owner, { month, key }: Asked): StatementMailed {
  const { salesPartnerEmail: to } = siteSettings(ctx)
  if (to === '') {
    throw new AppError('conflict', 'Set SALES_PARTNER_EMAIL first: alliance settings set SALES_PARTNER_EMAIL …')
  }
  const { statement } = commissionStatement(ctx, month, { limit: 1, cursor: undefined })
  return runOncePerKey(ctx, { scope: 'statement', key, body: { month } }, StatementMailed, () => {
    const cause = `statement:${month}:${ctx.newId()}`
    const message = statementMail(statement, contentOf(ctx).read().site.brand.name)
    queueMessage(
      ctx,
      { cause, to, userId: null, isRepeatable: true, attachment: { kind: 'statement', id: month } },
      message,
    )
    audit(ctx, owner.actor, 'commission.mailed', { detail: { month, email: to } })
    return { month, sentTo: to }
  })
}

function statementMail(statement: CommissionStatement, brand: string): Message {
  const month = formatMonthAndYear(`${statement.month}-15`)
  const sums = [...statementSums(statement), statementClosing(statement)]
  return {
    subject: `Commission statement, ${month}`,
    heading: `Commission statement, ${month}`,
    blocks: [
      paragraph(`${statement.partner}, here’s what ${brand} owes you for ${month}. Every line is in the attached PDF.`),
      { kind: 'rows', rows: sums.map(({ label, amount }) => [label, formatPoundsAndPence(amount)] as const) },
      paragraph(`${statementState(statement)} Amounts are without VAT.`),
    ],
  }
}
