import { type Context, perContext } from '#api/context.ts'
import { AppError } from '#api/errors.ts'

/**
 * One check takes 64 MiB and about 100 ms of a core: so many run at once, and so many more may wait. More than there are cores
 * would only be slower each, and who comes next would wait for all of them.
 */
export const runningAtOnce = Math.min(4, navigator.hardwareConcurrency)
const waitingAtMost = 16 - runningAtOnce
/** Running and waiting, of one address. */
const ofOneAddress = 10

/** Whose work it is. A known device goes before the others: a flood cannot come from one. */
export type HashCaller = { address: string; isKnownDevice: boolean }

type Entry = { caller: HashCaller; start(): void; refuse(error: AppError): void }
type Queue = { running: HashCaller[]; waiting: Entry[] }

const queueOf = perContext((): Queue => ({ running: [], waiting: [] }))

/**
 * Runs the hashing of a password when it is due: known devices first, then the address that has the fewest running, so
 * that a flood from one address delays the others by a few hashes only. Past its room it is refused with 503. It is our
 * own because p-queue and its like serve by priority, and know no fairness between callers.
 */
export async function hashWhenDue<Result>(
  ctx: Context,
  caller: HashCaller,
  work: () => Promise<Result>,
): Promise<Result> {
  const queue = queueOf(ctx)
  await waitForTurn(queue, caller)
  try {
    return await work()
  } finally {
    queue.running.splice(queue.running.indexOf(caller), 1)
    startNext(queue)
  }
}

const callersOf = (entries: readonly Entry[]) => entries.map(({ caller }) => caller)
const countOf = (callers: readonly HashCaller[], { address }: HashCaller) =>
  callers.filter((caller) => caller.address === address).length

async function waitForTurn(queue: Queue, caller: HashCaller): Promise<void> {
  const { running, waiting } = queue
  if (countOf(running, caller) + countOf(callersOf(waiting), caller) >= ofOneAddress) throw busyError()
  if (running.length < runningAtOnce) {
    running.push(caller)
    return
  }
  if (waiting.length >= waitingAtMost) makeRoom(queue, caller)
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  waiting.push({ caller, start: resolve, refuse: reject })
  await promise
}

/** The newest of the address with the most waiting gives way, where that one has more than the caller would have. */
function makeRoom({ waiting }: Queue, caller: HashCaller): void {
  const strangers = waiting.filter((entry) => !entry.caller.isKnownDevice)
  const countAmong = (one: HashCaller) => countOf(callersOf(strangers), one)
  const most = Math.max(0, ...strangers.map((entry) => countAmong(entry.caller)))
  const last = strangers.findLast((entry) => countAmong(entry.caller) === most)
  const givesWay = caller.isKnownDevice || most > countAmong(caller) + 1
  if (last === undefined || !givesWay) throw busyError()
  waiting.splice(waiting.indexOf(last), 1)
  last.refuse(busyError())
}

function startNext({ running, waiting }: Queue): void {
  const known = waiting.find((entry) => entry.caller.isKnownDevice)
  const fewest = Math.min(...waiting.map((entry) => countOf(running, entry.caller)))
  const next = known ?? waiting.find((entry) => countOf(running, entry.caller) === fewest)
  if (next === undefined) return
  waiting.splice(waiting.indexOf(next), 1)
  running.push(next.caller)
  next.start()
}

const busyError = () =>
  new AppError('busy', 'A great many people are logging in just now. Please try again in a few seconds.', {
    retryAfter: 5,
  })
