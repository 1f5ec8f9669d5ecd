import * as v from 'valibot'
import type { Context } from '#api/context.ts'
import type { HasDb } from '#api/db/query.ts'
import { readSetting, writeSetting } from '#api/db/stored-settings.ts'
import { providerTimeHeard } from '#api/stripe/provider-time.ts'
import { formatMoment } from '#shared/rules/london.ts'
import { plural } from '#shared/rules/plural.ts'
import { type Jump, lastLongJump } from './jump-service.ts'

const hour = 60 * 60_000
const day = 24 * hour

/** A clock that's gone unset for years or has the wrong time zone may differ by less. It does no harm. */
const toleratedMs = hour

/** The jobs that ask the provider run every hour. */
const askedWithinMs = 2 * hour

const key = 'provider_clock'

/** In our time at `at`. Negative means our clock was behind the provider's. `false` is stored once it's right again. */
const Difference = v.object({ aheadMs: v.number(), at: v.string() })
type Difference = v.InferOutput<typeof Difference>

function readStored(ctx: HasDb): Difference | null {
  const parsed = v.safeParse(Difference, readSetting(ctx, key)?.value)
  return parsed.success ? parsed.output : null
}

/** Stores a clock difference from the provider's last response, or clears it, so that every process sees it. */
export function noteProviderClock(ctx: Context): void {
  const stored = readStored(ctx)
  const heard = providerTimeHeard(ctx.sqlite)
  if (heard === null || heard.at === stored?.at || !isRecent(ctx, heard)) return
  if (isWrong(heard)) writeSetting(ctx, key, heard satisfies Difference)
  else if (stored !== null) writeSetting(ctx, key, false)
}

/** A difference measured before our clock moved says nothing about it now. */
const isRecent = ({ now }: Context, { at }: Difference) => Math.abs(now().getTime() - Date.parse(at)) <= toleratedMs

const isWrong = ({ aheadMs }: Difference) => Math.abs(aheadMs) > toleratedMs

/** Null if our clock agrees with the provider's, or has been set back since. */
function readDifference(ctx: HasDb & Pick<Context, 'now'>): Difference | null {
  const stored = readStored(ctx)
  return stored === null || Date.parse(stored.at) - ctx.now().getTime() > toleratedMs ? null : stored
}

/** Why the provider's time makes our clock look wrong. Null if it doesn't. */
export function providerDoubt(ctx: HasDb & Pick<Context, 'now'>): string | null {
  const difference = readDifference(ctx)
  if (difference === null) return null
  const ms = Math.abs(difference.aheadMs)
  const span = ms >= 2 * day ? plural(Math.round(ms / day), 'day') : plural(Math.round(ms / hour), 'hour')
  const side = difference.aheadMs > 0 ? 'ahead of' : 'behind'
  return `The server’s clock is ${span} ${side} Stripe’s. Correct it. Until then no month is closed, and nothing old is deleted or ended.`
}

/** The end of the last jump the provider's time has confirmed. */
const heardKey = 'clock_jump_heard'

type Clock = HasDb & Pick<Context, 'now' | 'settings'>

/**
 * A clock that's years ahead rejects the provider's certificate as expired, so silence doesn't confirm it. The sandbox uses our own
 * clock and can't confirm it either, so there we wait a day.
 */
function openJump(ctx: Clock): Jump | null {
  const jump = lastLongJump(ctx)
  if (jump === null) return null
  const isOpen = ctx.settings.isSandbox
    ? ctx.now().getTime() < Date.parse(jump.to) + day
    : readSetting(ctx, heardKey)?.value !== jump.to
  return isOpen ? jump : null
}

/**
 * Null if they may. Until the provider's time has confirmed ours, any long jump counts as doubt, even if the server was only off.
 */
export async function deletionDoubt(ctx: Context): Promise<string | null> {
  const jump = openJump(ctx)
  const isAsked = jump !== null || readDifference(ctx) !== null
  const isAnswered = isAsked && (await isProviderHeard(ctx))
  noteProviderClock(ctx)
  const isSettled = isAnswered && !ctx.settings.isSandbox
  if (jump !== null && isSettled) writeSetting(ctx, heardKey, jump.to)
  return providerDoubt(ctx) ?? (jump === null || isSettled ? null : jumpDoubt(ctx, jump))
}

function jumpDoubt({ settings }: Pick<Context, 'settings'>, { to }: Jump): string {
  const off = `The server was off, or its clock was moved, until ${formatMoment(to)}`
  return settings.isSandbox
    ? `${off}. Nothing old is deleted or ended for a day.`
    : `${off}, and Stripe hasn’t answered since. Nothing old is deleted or ended until it does. Is the clock right?`
}

/** Why deletions have stopped, if the provider has been silent for longer than the jobs need to ask it. */
export function lastingDoubt(ctx: Clock): string | null {
  const jump = ctx.settings.isSandbox ? null : openJump(ctx)
  return jump !== null && ctx.now().getTime() - Date.parse(jump.to) > askedWithinMs ? jumpDoubt(ctx, jump) : null
}

/** Whether the provider answers. Every response carries its time, even an error. */
async function isProviderHeard(ctx: Context): Promise<boolean> {
  const before = ctx.now().toISOString()
  if (ctx.settings.stripe.secretKey !== '') await ctx.stripe.accounts.retrieveCurrent().catch(() => null)
  const heard = providerTimeHeard(ctx.sqlite)
  return heard !== null && heard.at >= before
}
