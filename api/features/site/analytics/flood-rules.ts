import type { Context } from '#api/context.ts'

const windowMs = 60 * 60_000
/** Events counted per network address and hour. */
export const mostFromAddress = 600
/** Addresses tracked per hour. Later ones share one allowance. */
const mostAddresses = 5_000
const mostFromOthers = 30_000

type Window = { endsAt: number; fromAddress: Map<string, number>; fromOthers: number }

const windows = new WeakMap<Context['sqlite'], Window>()

/** False if the address is over its limit. Counts are in memory and bounded, so a flood fills neither disk nor memory. */
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

/** Seconds until more is counted; at least 60, so that browsers don't retry every second. */
export const secondsUntilAllowed = (ctx: Context): number =>
  Math.max(60, Math.ceil((windowAt(ctx).endsAt - ctx.now().getTime()) / 1000))

function windowAt(ctx: Context): Window {
  const now = ctx.now().getTime()
  const window = windows.get(ctx.sqlite)
  // A window that ends too late predates a clock correction.
  if (window !== undefined && now < window.endsAt && window.endsAt <= now + windowMs) return window
  const next = { endsAt: now + windowMs, fromAddress: new Map<string, number>(), fromOthers: 0 }
  windows.set(ctx.sqlite, next)
  return next
}
