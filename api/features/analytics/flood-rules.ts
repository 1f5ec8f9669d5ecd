import type { Context } from '#api/context.ts'

const windowMs = 60 * 60_000
/** Events that are counted from one network address in an hour. */
export const mostFromAddress = 600
/** Addresses that are told apart in an hour; those that come after share one allowance. */
const mostAddresses = 5_000
const mostFromOthers = 30_000

type Window = { endsAt: number; fromAddress: Map<string, number>; fromOthers: number }

const windows = new WeakMap<Context['sqlite'], Window>()

/**
 * Takes note of an event; false where it comes from where enough have come from. It is kept in memory: nothing is stored of
 * an address, and however many send however much, neither the disk nor the memory fills.
 */
export function isEventAllowed(ctx: Context, address: string): boolean {
  const window = windowAt(ctx)
  const known = window.fromAddress.get(address)
  if (known === undefined && window.fromAddress.size >= mostAddresses) {
    window.fromOthers += 1
    return window.fromOthers <= mostFromOthers
  }
  if ((known ?? 0) >= mostFromAddress) return false
  window.fromAddress.set(address, (known ?? 0) + 1)
  return true
}

/** Seconds until more is counted; at least 60, so that no browser is told to ask every second. */
export const secondsUntilAllowed = (ctx: Context): number =>
  Math.max(60, Math.ceil((windowAt(ctx).endsAt - ctx.now().getTime()) / 1000))

function windowAt(ctx: Context): Window {
  const now = ctx.now().getTime()
  const window = windows.get(ctx.sqlite)
  // One that ends later than it could is from before the clock was set back.
  if (window !== undefined && now < window.endsAt && window.endsAt <= now + windowMs) return window
  const next = { endsAt: now + windowMs, fromAddress: new Map<string, number>(), fromOthers: 0 }
  windows.set(ctx.sqlite, next)
  return next
}
