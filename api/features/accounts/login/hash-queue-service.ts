import { type Context, perContext } from '#api/context.ts'
import { AppError } from '#api/errors.ts'
import { customerNetwork } from '#api/network-address.ts'
import { isOfOwnerOrMember } from './queries.ts'

/** A check takes 64 MiB and about 100 ms of a core. One core is left for everything else. */
export const runningAtOnce = Math.max(1, Math.min(4, navigator.hardwareConcurrency - 1))
/**
 * How many checks may wait, for known accounts and for strangers each: two cores get through them in four seconds. In a flood of
 * two hundred, fewer than this arrive after a member does, so they can't push the member out.
 */
export const waitingAtMost = 48
/** Running and waiting, per caller. */
const ofOneCaller = 10
/** The people of one account don't make more attempts a minute than this, all devices together. */
const ofOneAccount = 8
/** How many known accounts go ahead before a waiting stranger gets a turn. A member with a new phone counts as a stranger. */
const knownInARow = 2

/** `account` is set if the request is logged in to it or comes from a device it knows. The queue decides whether it's known. */
export type HashCaller = { address: string; account?: string | undefined }

/** `isOfAccount` becomes false if the room for known accounts is full and the strangers' has a place. */
type Turn = {
  key: string
  isOfAccount: boolean
  state: 'waiting' | 'running' | 'done'
  start(): void
  refuse(error: AppError): void
}
/** `turns`: in the order of arrival, of this minute and those still open. `knownSince` a stranger last had one. */
type Queue = { turns: Turn[]; minute: number; knownSince: number }

const queueOf = perContext((): Queue => ({ turns: [], minute: 0, knownSince: 0 }))

/**
 * Runs a password hash when its turn comes.
 *
 * Owners' and members' accounts are known. They go before strangers, at up to `ofOneAccount` requests a minute, but leave strangers
 * every third turn. Everyone else is a stranger, logged in or not, and each network counts as one caller. Otherwise a machine with
 * a few hundred free accounts could keep every member out.
 *
 * Within each group, the caller with the fewest requests this minute goes first, and the newest if they're equal. So no one queues
 * behind an earlier flood, and a retry gets in. When a group's room is full, we refuse one of its busiest callers with 503, or let
 * it wait with the strangers. A flood delays others by no more than the running hashes and a few.
 *
 * It's our own because p-queue and similar libraries only know priorities, not fairness between callers.
 */
export async function hashWhenDue<Result>(
  ctx: Context,
  caller: HashCaller,
  work: () => Promise<Result>,
): Promise<Result> {
  const queue = queueOf(ctx)
  const minute = Math.floor(ctx.now().getTime() / 60_000)
  // The open ones count again. Otherwise a flood would look like first attempts every time a minute starts.
  if (queue.minute !== minute) queue.turns = queue.turns.filter(isOpen)
  queue.minute = minute
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const turn: Turn = { ...whoseTurn(ctx, caller), state: 'waiting', start: resolve, refuse: reject }
  if (queue.turns.filter((one) => one.key === turn.key && isOpen(one)).length >= ofOneCaller) throw busyError()
  queue.turns.push(turn)
  goOn(queue)
  await promise
  try {
    return await work()
  } finally {
    turn.state = 'done'
    goOn(queue)
  }
}

const isOpen = ({ state }: Turn) => state !== 'done'

/** An account and all its devices count as one caller, since people can create as many devices as they like. */
const whoseTurn = (ctx: Context, { address, account }: HashCaller) =>
  account !== undefined && isOfOwnerOrMember(ctx, account)
    ? { key: `of ${account}`, isOfAccount: true }
    : { key: `at ${customerNetwork(address)}`, isOfAccount: false }

/** Starts the next one if there's a core for it, or makes room. */
function goOn(queue: Queue): void {
  const [known, strangers] = roomsOf(queue)
  if (queue.turns.filter(({ state }) => state === 'running').length < runningAtOnce) {
    const isStrangers = known.length === 0 || (strangers.length > 0 && queue.knownSince >= knownInARow)
    const next = (isStrangers ? strangers : known).at(-1)
    if (next === undefined) return
    queue.knownSince = isStrangers ? 0 : queue.knownSince + 1
    next.state = 'running'
    next.start()
    return
  }
  const [last] = [known, strangers].find((room) => room.length > waitingAtMost) ?? []
  if (last === undefined) return
  if (known.includes(last) && strangers.length < waitingAtMost) last.isOfAccount = false
  else refuse(queue, last)
}

/** It no longer counts for its caller, so that a retry gets in and a flood doesn't fill the memory. */
function refuse({ turns }: Queue, turn: Turn): void {
  turns.splice(turns.indexOf(turn), 1)
  turn.refuse(busyError())
}

/** Who waits, the known and the strangers, each from the last to get a turn to the next. */
function roomsOf({ turns }: Queue): [known: Turn[], strangers: Turn[]] {
  const byCaller = Map.groupBy(turns, ({ key }) => key)
  const rankOf = ({ key }: Turn) => byCaller.get(key)?.length ?? 0
  const isKnown = (turn: Turn) => turn.isOfAccount && rankOf(turn) <= ofOneAccount
  const waiting = turns.filter(({ state }) => state === 'waiting').toSorted((one, other) => rankOf(other) - rankOf(one))
  return [waiting.filter(isKnown), waiting.filter((turn) => !isKnown(turn))]
}

const busyError = () =>
  new AppError('busy', 'We’re busy. Try again in a few seconds.', {
    retryAfter: 5,
  })
