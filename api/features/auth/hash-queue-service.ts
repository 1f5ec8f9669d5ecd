import { type Context, perContext } from '#api/context.ts'
import { AppError } from '#api/errors.ts'
import { customerNetwork } from '#api/http/client-address.ts'
import { isOfOwnerOrMember } from './queries.ts'

/**
 * One check takes 64 MiB and about 100 ms of a core: so many run at once. More than there are cores would only be slower each, and
 * who comes next would wait for all of them.
 */
export const runningAtOnce = Math.min(4, navigator.hardwareConcurrency)
/**
 * So many wait, of accounts that are known and of strangers each: two cores check them in four seconds. Of a flood of two
 * hundred, fewer come after a member who comes in its midst, so that they do not push the member out.
 */
export const waitingAtMost = 48
/** Running and waiting, of one caller. */
const ofOneCaller = 10
/** An account's people on devices of their own try no more often in a minute, all together; what does is no person. */
const ofOneAccount = 8
/** So many known accounts go ahead of strangers who wait, before one of these has a turn: a member with a new phone is one. */
const knownInARow = 2

/**
 * Whose work it is: `account` is one that is logged in there, or knows the device; else undefined. Whether it counts as known is
 * asked here.
 */
export type HashCaller = { address: string; account?: string | undefined }

/** `isOfAccount` ends where the room of known accounts is full, and the strangers' has a place. */
type Turn = { key: string; isOfAccount: boolean }
type Waiting = Turn & { start(): void; refuse(error: AppError): void }
type Queue = {
  running: Turn[]
  waiting: Waiting[]
  minute: number
  /** How often each caller has asked in this minute. Refused ones do not count. */
  counts: Map<string, number>
  /** How many of known accounts have had a turn since a stranger had one. */
  knownSince: number
}

const queueOf = perContext((): Queue => ({ running: [], waiting: [], minute: 0, counts: new Map(), knownSince: 0 }))

/**
 * Runs the hashing of a password when it is due. Accounts of owners and members are known and go before strangers, as long as
 * they ask as people do, and leave them every third turn. All others are strangers, logged in or not, and each network is one of
 * them: else a machine with a few hundred accounts that cost nothing would keep every member out. Among either, who has asked
 * least in this minute goes first, and of those who are alike the newest: a flood that came before is not waited for, and who
 * tries again gets in. Each of the two has a room of its own; past it one of those who have asked most is refused with 503, but
 * waits with the strangers where they leave a place. So a flood delays nobody else by more than the hashes that are running and
 * a few, whether it comes from one address or many, with wrong passwords or right ones. It is our own because p-queue and its
 * like serve by priority, and know no fairness between callers.
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

/** An account is one caller with all its devices, since its people can make as many as they like. */
const turnOf = (ctx: Context, { address, account }: HashCaller): Turn =>
  account !== undefined && isOfOwnerOrMember(ctx, account)
    ? { key: `of ${account}`, isOfAccount: true }
    : { key: `at ${customerNetwork(address)}`, isOfAccount: false }

/** Those who wait are counted again, or a flood would be a first try at each stroke of a minute. */
function beginMinute(queue: Queue, minute: number): void {
  if (queue.minute === minute) return
  queue.minute = minute
  queue.counts = new Map()
  for (const turn of queue.waiting) count(queue, turn, 1)
}

/** Keeps no key of who was only refused: a flood would fill the memory with them. */
function count({ counts }: Queue, { key }: Turn, by: 1 | -1): void {
  const asked = (counts.get(key) ?? 0) + by
  if (asked > 0) counts.set(key, asked)
  else counts.delete(key)
}

/** The lower it is, the sooner it is their turn. */
const rankOf = ({ counts }: Queue, { key }: Turn) => counts.get(key) ?? 0

const isKnown = (queue: Queue, turn: Turn) => turn.isOfAccount && rankOf(queue, turn) <= ofOneAccount

/** Refuses a caller who has all that one may have in the queue, before anything is written for them: a flood would write for each. */
export function assertPlace(ctx: Context, caller: HashCaller): void {
  assertPlaceIn(queueOf(ctx), turnOf(ctx, caller))
}

function assertPlaceIn({ running, waiting }: Queue, turn: Turn): void {
  const own = [...running, ...waiting].filter(({ key }) => key === turn.key)
  if (own.length >= ofOneCaller) throw busyError()
}

async function waitForTurn(queue: Queue, turn: Turn): Promise<void> {
  const { running, waiting } = queue
  assertPlaceIn(queue, turn)
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

/** Of several who have asked most it is the one who came first: it would be the last of them to have a turn. */
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
