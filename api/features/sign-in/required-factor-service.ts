import type { Context } from '#api/context.ts'
import { AppError } from '#api/errors.ts'
import { siteSettings } from '#api/site-settings.ts'
import { hasSecondFactor } from './queries.ts'

export const isFactorRequired = (ctx: Context): boolean => siteSettings(ctx).ownersNeedSecondFactor

/** Refuses an owner who hasn't set up the second factor the settings require. */
export function assertFactorSet(ctx: Context, { id, isAdmin }: { id: string; isAdmin: boolean }): void {
  if (!isAdmin || !isFactorRequired(ctx) || hasSecondFactor(ctx, id)) return
  const sentence = 'Every owner needs two-step login. Set yours up under Profile, in a browser.'
  throw new AppError('second_factor_unset', sentence)
}
