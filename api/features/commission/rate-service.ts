import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { transact } from '#api/db/open.ts'
import { AppError } from '#api/errors.ts'
import type { Owner } from '#api/http/session.ts'
import type { CommissionRate, CommissionRateRequest } from '#shared/contract/commission.ts'
import { tierSlugs } from '#shared/contract/tier.ts'
import { addDays, formatLongDate, londonDay } from '#shared/rules/london.ts'
import { defaultRate } from '#shared/rules/mrr.ts'

/** Every rate that holds, held or will hold, tier by tier, oldest first. */
export function listRates(ctx: Context): CommissionRate[] {
  const dated = ctx.sqlite
    .prepare<[], CommissionRate>('select tierSlug, rate, validFrom from commission_rates order by validFrom')
    .all()
  return tierSlugs.flatMap((tierSlug) => [
    { tierSlug, rate: defaultRate, validFrom: null },
    ...dated.filter((rate) => rate.tierSlug === tierSlug),
  ])
}

/** History never changes: a rate must begin after the last payment that has its line in the ledger. */
export function setRate(ctx: Context, owner: Owner, request: CommissionRateRequest): CommissionRate {
  const { tierSlug, rate } = request
  const validFrom = request.validFrom ?? londonDay(ctx.billingNow())
  return transact(ctx, () => {
    const isThere = ctx.sqlite
      .prepare('select 1 from commission_rates where tierSlug = ? and validFrom = ? and rate = ?')
      .get(tierSlug, validFrom, rate)
    if (isThere !== undefined) return { tierSlug, rate, validFrom }
    refuseWritten(ctx, tierSlug, validFrom)
    ctx.sqlite
      .prepare(
        `insert into commission_rates (tierSlug, rate, validFrom) values (?, ?, ?)
         on conflict (tierSlug, validFrom) do update set rate = excluded.rate`,
      )
      .run(tierSlug, rate, validFrom)
    audit(ctx, owner.actor, 'commission.rate', { targetId: tierSlug, detail: { rate, validFrom } })
    return { tierSlug, rate, validFrom }
  })
}

function refuseWritten(ctx: Context, tierSlug: string, validFrom: string): void {
  const written = ctx.sqlite
    .prepare<[string, string], { day: string | null }>(
      `select max(taxPoint) as day from invoices where taxPoint >= ? and tierSlug = ? and exists (
         select 1 from commission_ledger where invoiceId = invoices.id and kind = 'invoice')`,
    )
    .get(validFrom, tierSlug)
  if (!written?.day) return
  const first = formatLongDate(addDays(written.day, 1))
  throw new AppError(
    'conflict',
    `Commission is written up to ${formatLongDate(written.day)}. Please begin on ${first} or later.`,
  )
}
