import * as v from 'valibot'
import type { Context } from '#api/context.ts'
import type { HasDb } from '#api/db/query.ts'
import { readSetting, writeSetting } from '#api/db/stored-settings.ts'
import { providerTimeHeard } from '#api/stripe/provider-time.ts'
import { formatLongDate, londonClock } from '#shared/rules/london.ts'
import { plural } from '#shared/rules/plural.ts'
import { type Jump, lastLongJump } from './jump-service.ts'

const hour = 60 * 60_000
const day = 24 * hour

/** By less a clock may differ that nobody has set for years, or that took its time for that of another zone; nothing is lost by it. */
const toleratedMs = hour

/** The jobs that ask run each hour. */
const askedWithinMs = 2 * hour

const key = 'provider_clock'

/** How far our clock was ahead of the provider’s when it answered at `at`, by ours; below nought it was behind. `false` is stored where it was right again. */
const Difference = v.object({ aheadMs: v.number(), at: v.string() })
type Difference = v.InferOutput<typeof Difference>

function readStored(ctx: HasDb): Difference | null {
  const parsed = v.safeParse(Difference, readSetting(ctx, key)?.value)
  return parsed.success ? parsed.output : null
}

/**
 * Stores what the provider's last answer says of our clock, for every program to see, where it speaks against it or takes that
 * back.
 */
export function noteProviderClock(ctx: Context): void {
  const stored = readStored(ctx)
  const heard = providerTimeHeard(ctx.sqlite)
  if (heard === null || heard.at === stored?.at || !isRecent(ctx, heard)) return
  if (isWrong(heard)) writeSetting(ctx, key, heard satisfies Difference)
  else if (stored !== null) writeSetting(ctx, key, false)
}

/** What was heard before the clock was moved says nothing of it as it is now. */
const isRecent = ({ now }: Context, { at }: Difference) => Math.abs(now().getTime() - Date.parse(at)) <= toleratedMs

const isWrong = ({ aheadMs }: Difference) => Math.abs(aheadMs) > toleratedMs

/** Null where the provider's time is ours, and where our clock was set back since. */
function readDifference(ctx: HasDb & Pick<Context, 'now'>): Difference | null {
  const stored = readStored(ctx)
  return stored === null || Date.parse(stored.at) - ctx.now().getTime() > toleratedMs ? null : stored
}

/** What the provider's time says against our clock; null where it says nothing. */
export function providerDoubt(ctx: HasDb & Pick<Context, 'now'>): string | null {
  const difference = readDifference(ctx)
  if (difference === null) return null
  const ms = Math.abs(difference.aheadMs)
  const span = ms >= 2 * day ? plural(Math.round(ms / day), 'day') : plural(Math.round(ms / hour), 'hour')
  const side = difference.aheadMs > 0 ? 'ahead of' : 'behind'
  return `The server’s clock is ${span} ${side} Stripe’s. Correct it. Until then no month is closed, and nothing old is deleted or ended.`
}

/** Up to where the clock had jumped when the provider spoke of it. */
const heardKey = 'clock_jump_heard'

type Clock = HasDb & Pick<Context, 'now' | 'settings'>

/**
 * The last long way that the clock left out, for as long as nobody knows whether it was a time that the server was off. A clock
 * that is years ahead takes the provider's certificate for expired and hears nothing of it, so its silence ends no doubt; the
 * sandbox has our own clock and can say nothing, so there a day must do.
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
 * Why nothing may be deleted or ended for good just now that is old by our clock; null where it may. A clock that is far ahead is
 * seen by the provider's time; until that was heard, by the way that it left out, as after a time that the server was off.
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
  const off = `The server was off, or its clock was moved, until ${formatLongDate(to)}, ${londonClock(to)}`
  return settings.isSandbox
    ? `${off}. Nothing old is deleted or ended for a day.`
    : `${off}, and Stripe hasn’t answered since. Nothing old is deleted or ended until it does. Is the clock right?`
}

/** Why nothing is deleted or ended where the provider has been silent for longer than the jobs need to ask it. */
export function lastingDoubt(ctx: Clock): string | null {
  const jump = ctx.settings.isSandbox ? null : openJump(ctx)
  return jump !== null && ctx.now().getTime() - Date.parse(jump.to) > askedWithinMs ? jumpDoubt(ctx, jump) : null
}

/** Whether the provider answers; its time comes with every answer, whatever it says. */
async function isProviderHeard(ctx: Context): Promise<boolean> {
  const before = ctx.now().toISOString()
  if (ctx.settings.stripe.secretKey !== '') await ctx.stripe.accounts.retrieveCurrent().catch(() => null)
  const heard = providerTimeHeard(ctx.sqlite)
  return heard !== null && heard.at >= before
}
