import type { Context } from '#api/context.ts'
import { nextMonth } from '#shared/rules/london.ts'

/** The month after the last that is frozen: nothing is booked before it any more. Null while none is. */
export function firstOpenMonth(ctx: Context): string | null {
  const row = ctx.sqlite.prepare<[], { month: string | null }>('select max(month) as month from revenue_months').get()
  return row?.month ? nextMonth(row.month) : null
}

/** The month itself, or the first open one where it is frozen: what comes late is booked where it still can be. */
export function openMonth(ctx: Context, month: string): string {
  const first = firstOpenMonth(ctx)
  return first !== null && month < first ? first : month
}
