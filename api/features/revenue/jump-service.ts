import * as v from 'valibot'
import type { Context } from '#api/context.ts'
import type { HasDb } from '#api/db/query.ts'
import { readSetting, writeSetting } from '#api/db/stored-settings.ts'

const hour = 60 * 60_000
const day = 24 * hour

/** A row of `settings`; the moment of the last heartbeat is in its `updatedAt`. */
export const heartbeatKey = 'heartbeat'
const jumpsKey = 'clock_jumps'

/**
 * Heartbeats come each minute. Where the next one is more than an hour later, the server was off or its clock was moved; a
 * clock is set right by less while all is well, but for one that took its time for that of another zone.
 */
const jumpMs = hour
/** A machine that sleeps every night makes one a day: a clock that was ahead is noticed within ten of them. */
const jumpsKept = 10

const Jump = v.object({ from: v.string(), to: v.string() })
export type Jump = v.InferOutput<typeof Jump>

type Clock = HasDb & Pick<Context, 'now'>

/** Oldest first, as they were made. */
function readJumps(ctx: HasDb): Jump[] {
  const parsed = v.safeParse(v.array(Jump), readSetting(ctx, jumpsKey)?.value)
  return parsed.success ? parsed.output : []
}

/** The last time that the server was off for more than an hour, or its clock was moved by so much, and has come back since. */
export const lastJump = (ctx: HasDb): Jump | null => readJumps(ctx).at(-1) ?? null

/** The way from the last heartbeat to now, where that is none that a running server makes. */
function jumpToNow(ctx: Clock): Jump | null {
  const from = readSetting(ctx, heartbeatKey)?.updatedAt
  const to = ctx.now()
  return from === undefined || to.getTime() - Date.parse(from) <= jumpMs ? null : { from, to: to.toISOString() }
}

/** To be called before the next heartbeat is written. */
export function recordJump(ctx: Clock): void {
  const jump = jumpToNow(ctx)
  if (jump === null) return
  const jumps = [...readJumps(ctx), jump]
  // However many short ones follow, something may still wait because of the last long one.
  const lastLong = jumps.findLast(isLong)
  writeSetting(
    ctx,
    jumpsKey,
    jumps.filter((one, index) => index >= jumps.length - jumpsKept || one === lastLong),
  )
}

/**
 * Whether the clock shows a time that it has left out before: then it was ahead, and has been set back since. A clock that is
 * behind shows a time that the server has lived through, or one from before it.
 */
export function isWithinJump(ctx: Clock): boolean {
  const now = ctx.now().toISOString()
  return readJumps(ctx).some(({ from, to }) => from <= now && now < to)
}

const isLong = ({ from, to }: Jump) => Date.parse(to) - Date.parse(from) > day

/** The last way of more than a day that the clock left out; none that it has yet to come to, since it was set back. */
export function lastLongJump(ctx: Clock): Jump | null {
  const now = ctx.now().toISOString()
  const current = jumpToNow(ctx)
  return (
    [...readJumps(ctx), ...(current === null ? [] : [current])].findLast((one) => isLong(one) && one.to <= now) ?? null
  )
}
