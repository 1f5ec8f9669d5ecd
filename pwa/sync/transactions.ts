import Dexie from 'dexie'
import { isPageLeft, onPagePaused, untilPageIsBack } from '#pwa/lib/page-life.ts'
import { createMending, type Mending } from './mending.ts'
import type { Factory, Spare } from './spare.ts'

// No page that's left or hidden may hold a transaction: the browser stops it in the middle, and every other page waits. So each is
// cut off then and done again whole, later or straight away, and there are few of them.

const running = new Set<IDBTransaction>()
let cuts = 0

onPagePaused(() => {
  cuts += 1
  const left = [...running]
  for (const transaction of left) abort(transaction)
  void endLost(left)
})

/** How long the end of what was cut off may take to be told, once the page is back. */
const lostMs = 1_000

/**
 * WebKit keeps a page whose transactions have just been cut off, and sometimes never tells it that they've ended: what waits for one
 * would wait for ever, and so would all reads behind it.
 */
async function endLost(left: readonly IDBTransaction[]): Promise<void> {
  await untilPageIsBack()
  await new Promise((resolve) => setTimeout(resolve, lostMs))
  const lost = left.filter((transaction) => running.delete(transaction))
  for (const { name } of new Set(lost.map(({ db }) => db))) for (const end of underWay.get(name) ?? []) end()
}

/** What ends each step that's under way, by its database. */
const underWay = new Map<string, Set<() => void>>()

/** The same promise, but it rejects if the step began before a cut whose end is never told. */
function unlessLost<Result>(name: string, step: PromiseLike<Result>): Promise<Result> {
  const before = cuts
  const all = underWay.get(name) ?? new Set()
  underWay.set(name, all)
  return new Promise((resolve, reject) => {
    const end = () => {
      if (before !== cuts) reject(new DOMException('What was cut off ended unseen.', 'AbortError'))
    }
    all.add(end)
    Promise.resolve(step)
      .finally(() => all.delete(end))
      .then(resolve, reject)
  })
}

function cutOff(name: string): void {
  for (const transaction of running) if (transaction.db.name === name) abort(transaction)
}

function abort(transaction: IDBTransaction): void {
  try {
    transaction.abort()
  } catch {
    // It had just been committed, so it counts.
  }
}

function follow(transaction: IDBTransaction): IDBTransaction {
  const done = () => running.delete(transaction)
  running.add(transaction)
  transaction.addEventListener('complete', done)
  transaction.addEventListener('abort', done)
  return transaction
}

/** The same factory, but its databases begin nothing on a page that's left. */
export function followed(source: Factory): Factory {
  const open = (...args: [string, number?]): IDBOpenDBRequest => {
    const request: IDBOpenDBRequest = source.open(...args)
    request.addEventListener('upgradeneeded', () => request.transaction && follow(request.transaction))
    request.addEventListener('success', (event) => {
      // Opened for a page that's left since. It's told once it's back.
      if (isPageLeft()) {
        event.stopImmediatePropagation()
        untilPageIsBack().then(() => request.dispatchEvent(new Event('success')))
        return
      }
      const database = request.result
      const begin = database.transaction.bind(database)
      database.transaction = (...names: Parameters<typeof begin>) => {
        if (isPageLeft()) throw new DOMException('This page has been left.', 'AbortError')
        return follow(begin(...names))
      }
    })
    return request
  }
  const get = (_: Factory, key: PropertyKey) => {
    if (key === 'open') return open
    const value: unknown = Reflect.get(source, key)
    return typeof value === 'function' ? value.bind(source) : value
  }
  return new Proxy(source, { get })
}

const ended = new WeakSet<Dexie>()

/**
 * Whether it was closed for good, as a logout does, or can't be opened. Between leaving a page and coming back to it, it's closed
 * for a while.
 */
export const hasEnded = (dexie: Dexie): boolean => ended.has(dexie) || dexie.hasFailed()

type Step = [mode: string | null, ...unknown[]]

/** Reads that are asked for together share a transaction, and what was cut off is repeated. So is what failed, in `spare`. */
export function withShortTransactions(dexie: Dexie, spare?: Spare): Dexie {
  const { close, transaction } = Dexie.prototype
  const mending =
    spare && createMending({ dexie, spare, isOver: () => ended.has(dexie), cutOff: () => cutOff(dexie.name) })
  let written: Promise<unknown> = Promise.resolve()
  const read = readsTogether(
    (work) => unlessLost(dexie.name, transaction.call(dexie, 'r', dexie.tables, work)),
    () => written,
  )
  const short =
    (work: (...step: Step) => PromiseLike<unknown>) =>
    (...step: Step) => {
      if (Dexie.currentTransaction) return work(...step)
      const run = () => work(...step)
      if (step[0] === 'r' || step[0] === 'readonly') return repeated({ dexie, mending }, () => read(run))
      const done = repeated({ dexie, mending }, () => unlessLost(dexie.name, run()))
      written = Promise.allSettled([written, done]).then(() => {})
      return done
    }
  Object.assign(dexie, {
    transaction: short(transaction.bind(dexie)),
    close: (how = { disableAutoOpen: true }) => {
      if (how.disableAutoOpen) {
        ended.add(dexie)
        spare?.forget(dexie.name)
      }
      close.call(dexie, how)
    },
  })
  // Every method of a table and its collections goes through this one.
  const table = dexie.Table.prototype
  const step: (this: unknown, ...step: Step) => PromiseLike<unknown> = Reflect.get(table, '_trans')
  Object.assign(table, {
    _trans(...args: Step) {
      return short(step.bind(this))(...args)
    },
  })
  return dexie
}

type Parts = { dexie: Dexie; mending: Mending | undefined }

async function repeated({ dexie, mending }: Parts, work: () => PromiseLike<unknown>): Promise<unknown> {
  let tries = 0
  for (let turn = 0; ; turn += 1) {
    // In the same turn as what follows, so that it can't be left in between.
    while (isPageLeft()) await untilPageIsBack()
    const before = cuts
    const round = mending?.round() ?? 0
    try {
      return await work()
    } catch (error) {
      // What was cut off may also be an opening that others wait for. Dexie wouldn't try it again.
      const hasFailed = dexie.hasFailed()
      if (ended.has(dexie)) throw error
      const wasCutOff = before !== cuts || (hasFailed && turn === 0 && cuts > 0)
      if (!wasCutOff) {
        if (!(await mending?.mend(error, { round, tries }))) throw error
        tries += 1
      }
      // Closed for good meanwhile: it must not come back under the name of a member who has logged out.
      if (ended.has(dexie)) throw error
      if (dexie.hasFailed()) dexie.close({ disableAutoOpen: false })
    }
  }
}

type Work = () => PromiseLike<unknown>
type Results = PromiseSettledResult<unknown>[]
type Read = { work: Work; settle: (result: PromiseSettledResult<unknown>) => void }

/**
 * A page that opens asks for a dozen things at once, each in its own part of the code. What's asked for while others are read or
 * written would wait anyway, and so goes together.
 */
function readsTogether(
  transact: (work: () => Promise<Results>) => PromiseLike<Results>,
  untilWritten: () => Promise<unknown>,
) {
  let next: Read[] = []
  let reading: Promise<unknown> = Promise.resolve()
  const run = async () => {
    while (isPageLeft()) await untilPageIsBack()
    const reads = next
    next = []
    const results = await Promise.resolve(transact(() => Promise.allSettled(reads.map(({ work }) => work())))).catch(
      (reason: unknown): Results => reads.map(() => ({ status: 'rejected', reason })),
    )
    for (const [index, { settle }] of reads.entries()) {
      const result = results[index]
      if (result) settle(result)
    }
  }
  return (work: Work) =>
    new Promise<unknown>((resolve, reject) => {
      if (next.length === 0) {
        const before = Promise.all([reading, untilWritten()])
        reading = new Promise<void>((done) => {
          before.then(() => inNextTask(() => void run().finally(done)))
        })
      }
      next.push({
        work,
        settle: (result) => (result.status === 'fulfilled' ? resolve(result.value) : reject(result.reason)),
      })
    })
}

/** A timer would wait for a second on a hidden page. */
function inNextTask(run: () => void): void {
  const { port1, port2 } = new MessageChannel()
  port1.onmessage = () => {
    port1.close()
    run()
  }
  port2.postMessage(null)
}
