import type { Context } from '#api/context.ts'
import { queueMessage } from '#api/mail/outbox.ts'
import { paragraph } from '#api/mail/templates/layout.ts'
import type { Report } from '#shared/contract/report.ts'
import { reportLines, reportTitle } from '#shared/rules/report-text.ts'

/** To each owner, once for these days. Call it in the transaction that notes them as reported. */
export function queueReportMails(ctx: Context, report: Report, again: string | null): string[] {
  const title = reportTitle(report)
  const message = {
    subject: title,
    heading: title,
    blocks: [{ kind: 'rows', rows: reportLines(report) } as const, paragraph(`More: ${ctx.settings.publicUrl}/admin`)],
  }
  const base = `report-${report.kind}:${report.from}${again === null ? '' : `:${again}`}`
  for (const to of ctx.settings.ownerEmails) {
    queueMessage(ctx, { cause: `${base}:${to}`, to, userId: null, isRepeatable: true }, message)
  }
  return [...ctx.settings.ownerEmails]
}
