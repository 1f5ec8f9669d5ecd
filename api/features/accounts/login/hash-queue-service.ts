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
type Turn = { key: string; isOfAccount: boolean }
type Waiting = Turn & { start(): void; refuse(error: AppError): void }
type Queue = {
  running: Turn[]
  waiting: Waiting[]
  minute: number
  counts: Map<string, number>
  /** Turns of known accounts since a stranger last had one. */
  knownSince: number
}

const queueOf = perContext((): Queue => ({ running: [], waiting: [], minute: 0, counts: new Map(), knownSince: 0 }))

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
  beginMinute(queue, Math.floor(ctx.now().getTime() / 60_000))
  const turn = turnOf(ctx, caller)
  await waitForTurn(queue, turn)
  try {
    return await work()
  } finally {
    queue.running.splice(queue.running.indexOf(turn), 1)
    startNext(queue)
  }
}

/** An account and all its devices count as one caller, since people can create as many devices as they like. */
const turnOf = (ctx: Context, { address, account }: HashCaller): Turn =>
  account !== undefined && isOfOwnerOrMember(ctx, account)
    ? { key: `of ${account}`, isOfAccount: true }
    : { key: `at ${customerNetwork(address)}`, isOfAccount: false }

/** Counts the waiting ones again. Otherwise a flood would look like first attempts every time a minute starts. */
function beginMinute(queue: Queue, minute: number): void {
  if (queue.minute === minute) return
  queue.minute = minute
  queue.counts = new Map()
  for (const turn of queue.waiting) count(queue, turn, 1)
}

/** Drops keys of callers with only refused requests, or a flood would fill the memory. */
function count({ counts }: Queue, { key }: Turn, by: 1 | -1): void {
  const asked = (counts.get(key) ?? 0) + by
  if (asked > 0) counts.set(key, asked)
  else counts.delete(key)
}

/** Lower goes sooner. */
const rankOf = ({ counts }: Queue, { key }: Turn) => counts.get(key) ?? 0

const isKnown = (queue: Queue, turn: Turn) => turn.isOfAccount && rankOf(queue, turn) <= ofOneAccount

/** Refuses a caller who has used their places. */
function assertPlace({ running, waiting }: Queue, turn: Turn): void {
  const own = [...running, ...waiting].filter(({ key }) => key === turn.key)
  if (own.length >= ofOneCaller) throw busyError()
}

async function waitForTurn(queue: Queue, turn: Turn): Promise<void> {
  const { running, waiting } = queue
  assertPlace(queue, turn)
  count(queue, turn, 1)
  if (running.length < runningAtOnce) {
    running.push(turn)
    return
  }
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  waiting.push(Object.assign(turn, { start: resolve, refuse: reject }))
  makeRoom(queue, isKnown(queue, turn))
  await promise
}

/** Among callers with the most requests, drops the one who came first, as its turn would come last. */
function makeRoom(queue: Queue, ofKnown: boolean): void {
  const room = queue.waiting.filter((turn) => isKnown(queue, turn) === ofKnown)
  if (room.length <= waitingAtMost) return
  const highest = Math.max(...room.map((turn) => rankOf(queue, turn)))
  const refused = room.find((turn) => rankOf(queue, turn) === highest)
  if (refused === undefined) return
  if (ofKnown && queue.waiting.length - room.length < waitingAtMost) {
    refused.isOfAccount = false
    return
  }
  queue.waiting.splice(queue.waiting.indexOf(refused), 1)
  count(queue, refused, -1)
  refused.refuse(busyError())
}

function startNext(queue: Queue): void {
  const { running, waiting } = queue
  const known = waiting.filter((turn) => isKnown(queue, turn))
  const strangers = waiting.filter((turn) => !known.includes(turn))
  const isStrangersTurn = known.length === 0 || (strangers.length > 0 && queue.knownSince >= knownInARow)
  const due = isStrangersTurn ? strangers : known
  const lowest = Math.min(...due.map((turn) => rankOf(queue, turn)))
  const next = due.findLast((turn) => rankOf(queue, turn) === lowest)
  if (next === undefined) return
  queue.knownSince = isStrangersTurn ? 0 : queue.knownSince + 1
  waiting.splice(waiting.indexOf(next), 1)
  running.push(next)
  next.start()
}

const busyError = () =>
  new AppError('busy', 'We’re busy. Try again in a few seconds.', {
    retryAfter: 5,
  })
