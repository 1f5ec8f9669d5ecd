import { type Context, perContext } from '#api/context.ts'
import { AppError } from '#api/errors.ts'

/**
 * One check takes 64 MiB and about 100 ms of a core: so many run at once, and so many more may wait. More than there are cores
 * would only be slower each, and who comes next would wait for all of them.
 */
export const runningAtOnce = Math.min(4, navigator.hardwareConcurrency)
const waitingAtMost = 16 - runningAtOnce
/** Running and waiting, of one caller. */
const ofOneCaller = 10
/** A person on a device of their own tries no more often in a minute; what does is no person. */
const ofOnePerson = 8
/** More callers in a minute are not told apart: each counts as one that asks for the first time. */
const mostCallers = 10_000

/** Whose work it is: `device` is a device that the account knows, else undefined. */
export type HashCaller = { address: string; device?: string | undefined }

type Entry = { caller: HashCaller; start(): void; refuse(error: AppError): void }
type Queue = {
  running: HashCaller[]
  waiting: Entry[]
  /** How often each caller has asked in this minute. */
  asked: { minute: number; counts: Map<string, number> }
}

const queueOf = perContext((): Queue => ({ running: [], waiting: [], asked: { minute: 0, counts: new Map() } }))

/**
 * Runs the hashing of a password when it is due. Who asks seldom goes first, and a known device before all others as long as
 * it asks as a person does: so a flood delays nobody else by more than the hashes that are running, whether it comes from one
 * address or many, with wrong passwords or right ones. Past its room it is refused with 503. It is our own because p-queue
 * and its like serve by priority, and know no fairness between callers.
 */
export async function hashWhenDue<Result>(
  ctx: Context,
  caller: HashCaller,
  work: () => Promise<Result>,
): Promise<Result> {
  const queue = queueOf(ctx)
  countAsked(queue, caller, Math.floor(ctx.now().getTime() / 60_000))
  await waitForTurn(queue, caller)
  try {
    return await work()
  } finally {
    queue.running.splice(queue.running.indexOf(caller), 1)
    startNext(queue)
  }
}

/** Known devices are told apart, since a firm's may share one address; strangers are known by nothing else. */
const keyOf = ({ address, device }: HashCaller) => (device === undefined ? `at ${address}` : `on ${device}`)

function countAsked(queue: Queue, caller: HashCaller, minute: number): void {
  if (queue.asked.minute !== minute) queue.asked = { minute, counts: new Map() }
  const { counts } = queue.asked
  const key = keyOf(caller)
  if (counts.has(key) || counts.size < mostCallers) counts.set(key, (counts.get(key) ?? 0) + 1)
}

/** The lower it is, the sooner it is their turn. */
function rankOf({ asked }: Queue, caller: HashCaller): number {
  const count = asked.counts.get(keyOf(caller)) ?? 1
  return caller.device !== undefined && count <= ofOnePerson ? 0 : count
}

async function waitForTurn(queue: Queue, caller: HashCaller): Promise<void> {
  const { running, waiting } = queue
  const isOwn = (one: HashCaller) => keyOf(one) === keyOf(caller)
  if (running.filter(isOwn).length + waiting.filter((entry) => isOwn(entry.caller)).length >= ofOneCaller)
    throw busyError()
  if (running.length < runningAtOnce) {
    running.push(caller)
    return
  }
  if (waiting.length >= waitingAtMost) makeRoom(queue, caller)
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  waiting.push({ caller, start: resolve, refuse: reject })
  await promise
}

/** The newest of those who ask most gives way to one who asks less. */
function makeRoom(queue: Queue, caller: HashCaller): void {
  const { waiting } = queue
  const highest = Math.max(...waiting.map((entry) => rankOf(queue, entry.caller)))
  const last = waiting.findLast((entry) => rankOf(queue, entry.caller) === highest)
  if (last === undefined || highest <= rankOf(queue, caller)) throw busyError()
  waiting.splice(waiting.indexOf(last), 1)
  last.refuse(busyError())
}

function startNext(queue: Queue): void {
  const { running, waiting } = queue
  const lowest = Math.min(...waiting.map((entry) => rankOf(queue, entry.caller)))
  const next = waiting.find((entry) => rankOf(queue, entry.caller) === lowest)
  if (next === undefined) return
  waiting.splice(waiting.indexOf(next), 1)
  running.push(next.caller)
  next.start()
}

const busyError = () =>
  new AppError('busy', 'A great many people are logging in just now. Please try again in a few seconds.', {
    retryAfter: 5,
  })
