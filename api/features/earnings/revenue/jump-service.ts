import * as v from 'valibot'
import type { Context } from '#api/context.ts'
import type { HasDb } from '#api/db/query.ts'
import { readSetting, writeSetting } from '#api/db/stored-settings.ts'

const hour = 60 * 60_000
const day = 24 * hour

/** A row of `settings`. Its `updatedAt` is the time of the last heartbeat. */
export const heartbeatKey = 'heartbeat'
const jumpsKey = 'clock_jumps'

/** Heartbeats come every minute. A gap over an hour means the server was off, or its clock moved. */
const jumpMs = hour
/** A machine that sleeps every night makes one a day, and we notice a fast clock within ten days. */
const jumpsKept = 10

const Jump = v.object({ from: v.string(), to: v.string() })
export type Jump = v.InferOutput<typeof Jump>

type Clock = HasDb & Pick<Context, 'now'>

function readJumps(ctx: HasDb): Jump[] {
  const parsed = v.safeParse(v.array(Jump), readSetting(ctx, jumpsKey)?.value)
  return parsed.success ? parsed.output : []
}

/** The last gap of more than an hour between heartbeats: the server was off, or its clock moved. */
export const lastJump = (ctx: HasDb): Jump | null => readJumps(ctx).at(-1) ?? null

/** The gap since the last heartbeat, if it's too long for a running server. */
function jumpToNow(ctx: Clock): Jump | null {
  const from = readSetting(ctx, heartbeatKey)?.updatedAt
  const to = ctx.now()
  return from === undefined || to.getTime() - Date.parse(from) <= jumpMs ? null : { from, to: to.toISOString() }
}

/** Call it before writing the next heartbeat. */
export function recordJump(ctx: Clock): void {
  const jump = jumpToNow(ctx)
  if (jump === null) return
  const jumps = [...readJumps(ctx), jump]
  // Keep the last long one however many short ones follow, because something may still wait for it.
  const lastLong = jumps.findLast(isLong)
  writeSetting(
    ctx,
    jumpsKey,
    jumps.filter((one, index) => index >= jumps.length - jumpsKept || one === lastLong),
  )
}

/** Whether now lies in a gap the clock skipped earlier: it was ahead, and has been set back. */
export function isWithinJump(ctx: Clock): boolean {
  const now = ctx.now().toISOString()
  return readJumps(ctx).some(({ from, to }) => from <= now && now < to)
}

const isLong = ({ from, to }: Jump) => Date.parse(to) - Date.parse(from) > day

/** The last gap of more than a day. Ignores gaps still ahead of now, since the clock was set back. */
export function lastLongJump(ctx: Clock): Jump | null {
  const now = ctx.now().toISOString()
  const current = jumpToNow(ctx)
  return (
    [...readJumps(ctx), ...(current === null ? [] : [current])].findLast((one) => isLong(one) && one.to <= now) ?? null
  )
}
