import { and, asc, eq, gte, not } from 'drizzle-orm'
import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { greatest } from '#api/db/expressions.ts'
import { upsert } from '#api/db/insert.ts'
import { transact } from '#api/db/open.ts'
import { commissionRates } from '#api/db/schema/commission.ts'
import { invoices } from '#api/db/schema/invoices.ts'
import { AppError } from '#api/errors.ts'
import { listAllTiers } from '#api/features/tiers/admin-service.ts'
import { assertTier, tierNames } from '#api/features/tiers/service.ts'
import type { Owner } from '#api/identity/person.ts'
import type { AdminTier } from '#shared/contract/admin-tier.ts'
import type { CommissionRate, CommissionRateRequest } from '#shared/contract/commission.ts'
import type { TierSlug } from '#shared/contract/tier.ts'
import { defaultCommissionRate } from '#shared/rules/commission.ts'
import { addDays, formatLongDate, londonDay } from '#shared/rules/london.ts'
import { isWithoutLine } from './ledger-queries.ts'

/** Past, current and future rates, by tier, oldest first. */
export function listRates(ctx: Context): CommissionRate[] {
  const dated = ctx.db.select().from(commissionRates).orderBy(asc(commissionRates.validFrom)).all()
  // One that was never offered would only be in the way.
  const isListed = ({ slug, isActive, members }: AdminTier) =>
    isActive || members > 0 || dated.some(({ tierSlug }) => tierSlug === slug)
  return listAllTiers(ctx)
    .filter(isListed)
    .flatMap(({ slug: tierSlug, name: tierName }) =>
      [
        { tierSlug, rate: defaultCommissionRate, validFrom: null },
        ...dated.filter((rate) => rate.tierSlug === tierSlug),
      ].map((rate) => ({ ...rate, tierName })),
    )
}

/** History never changes: a rate must start after the last payment with a line in the ledger. */
export function setRate(ctx: Context, owner: Owner, request: CommissionRateRequest): CommissionRate {
  const { tierSlug, rate } = request
  assertTier(ctx, 'tierSlug', tierSlug)
  const validFrom = request.validFrom ?? londonDay(ctx.billingNow())
  const set = { tierSlug, tierName: tierNames(ctx)(tierSlug), rate, validFrom }
  return transact(ctx, () => {
    if (rateFrom(ctx, tierSlug, validFrom) === rate) return set
    assertNothingWritten(ctx, tierSlug, validFrom)
    upsert(ctx, commissionRates, { tierSlug, rate, validFrom })
    audit(ctx, owner.actor, 'commission.rate', { targetId: tierSlug, detail: { tier: tierSlug, rate, validFrom } })
    return set
  })
}

const rateFrom = (ctx: Context, tierSlug: TierSlug, validFrom: string): number | undefined =>
  ctx.db
    .select({ rate: commissionRates.rate })
    .from(commissionRates)
    .where(and(eq(commissionRates.tierSlug, tierSlug), eq(commissionRates.validFrom, validFrom)))
    .get()?.rate

function assertNothingWritten(ctx: Context, tierSlug: TierSlug, validFrom: string): void {
  const written = ctx.db
    .select({ day: greatest(invoices.taxPoint) })
    .from(invoices)
    .where(and(gte(invoices.taxPoint, validFrom), eq(invoices.tierSlug, tierSlug), not(isWithoutLine)))
    .get()
  if (!written?.day) return
  const first = formatLongDate(addDays(written.day, 1))
  throw new AppError(
    'conflict',
    `Commission is worked out up to ${formatLongDate(written.day)}. Start on ${first} or later.`,
  )
}
