import type { Context } from '#api/context.ts'
import type { AdminMail, MailStatus } from '#shared/contract/mail.ts'

type MailRow = Omit<AdminMail, 'canResend'> & { canResend: 0 | 1 }

/** No text and no whole cause: both can hold what is for the addressee alone. */
const mailRows = `
  select id, "to", subject, substr(cause, 1, instr(cause || ':', ':') - 1) as kind, status, attempts, lastError, createdAt,
    iif(status in ('waiting', 'sending'), nextAttemptAt, null) as nextAttemptAt, sentAt,
    status in ('refused', 'failed') and text <> '' as canResend
  from mail_outbox`

const toMail = (row: MailRow): AdminMail => ({ ...row, canResend: row.canResend === 1 })

export type MailFilter = {
  limit: number
  cursor: string | undefined
  status: MailStatus | undefined
  to: string | undefined
}

/** Newest first; pages follow the id. */
export function listMail(ctx: Context, { limit, cursor, status, to }: MailFilter): AdminMail[] {
  const wanted = [
    { clause: 'id < ?', value: cursor },
    { clause: 'status = ?', value: status },
    { clause: '"to" = ?', value: to },
  ].filter(({ value }) => value !== undefined)
  const where = wanted.length === 0 ? '' : `where ${wanted.map(({ clause }) => clause).join(' and ')}`
  return ctx.sqlite
    .prepare<unknown[], MailRow>(`${mailRows} ${where} order by id desc limit ?`)
    .all(...wanted.map(({ value }) => value), limit)
    .map(toMail)
}

export function findMail(ctx: Context, id: string): AdminMail | null {
  const row = ctx.sqlite.prepare<[string], MailRow>(`${mailRows} where id = ?`).get(id)
  return row === undefined ? null : toMail(row)
}
