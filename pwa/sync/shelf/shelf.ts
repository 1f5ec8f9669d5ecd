import { backOffMs } from '#pwa/sync/back-off.ts'
import { watchDatabase } from '#pwa/sync/database.ts'
import type { Platform, WakeReason } from '#pwa/sync/platform.ts'
import type { ShelfRow } from '#pwa/sync/progress/kept.ts'
import { noteTime } from '#pwa/sync/progress/phone-lock.ts'
import type { MemberStore } from '#pwa/sync/progress/store.ts'
import { createScheduler, mayReachServer } from '#pwa/sync/scheduler.ts'
import { hasEnded } from '#pwa/sync/transactions.ts'
import type { ShelfForm } from '#shared/contract/shelf.ts'
import type { ShelfDevice } from './device.ts'
import { type FetchOutcome, fetchMissing, readPause } from './fetcher.ts'
import { fetchReading } from './reading.ts'
import {
  type Facts,
  isWordEnough,
  type Refresher,
  readFacts,
  readListEtag,
  refreshShelf,
  removeAll,
  reportKept,
  sweepFiles,
} from './refresh.ts'
import { addKept, changeShelfRow, forgetRemoved, isMissing, readShelfRow, removeKept } from './store.ts'

type Choices = Partial<Pick<ShelfRow, 'form' | 'isWifiOnly' | 'hasChosen' | 'keepsNext' | 'mostBytes'>>

/** The videos one member keeps on one device. Every promise rejects only if the store or the files fail. */
export type Shelf = {
  /** Goes on where the last opening stopped, and at each return of the signal. */
  start(): void
  stop(): void
  keep(videoIds: readonly string[], form: ShelfForm): Promise<void>
  remove(videoIds: readonly string[]): Promise<void>
  removeAll(): Promise<void>
  choose(choices: Choices): Promise<void>
  /** The member says that this network will do, until the app is closed. */
  fetchNow(): void
  /** The member has read which videos the browser removed. */
  forgetRemoved(): Promise<void>
  settled(): Promise<void>
}

export type ShelfParts = { store: MemberStore; platform: Platform; device: ShelfDevice }

/** How often an open page asks what may be kept. */
const usualDelayMs = 10 * 60_000
const preparingDelayMs = 20_000
/** Ticks are sent, and a video is paused, within seconds. */
const shortDelayMs = 5_000

export function createShelf({ store, platform, device }: ShelfParts): Shelf {
  const stopping = new AbortController()
  const state = newState()
  const fetcher: Refresher = { store, platform, device, signal: stopping.signal }
  const { wakeUp, settled } = createScheduler<void>({
    platform,
    stopping: stopping.signal,
    stopped: undefined,
    isOpen: () => !hasEnded(store.dexie),
    run: (reason) => withShelfLock(fetcher, () => runOnce(fetcher, state, reason)),
    nextDelay: async () => delayAfter(state, platform),
    usualDelayMs,
  })
  return {
    start: () => {
      stopping.signal.addEventListener('abort', platform.onWake(wakeUp))
      stopping.signal.addEventListener(
        'abort',
        device.onChange(() => wakeUp('timer')),
      )
      onNewList(fetcher, state, () => wakeUp('timer'))
      wakeUp('start')
    },
    stop: () => stopping.abort(),
    ...memberActions({ fetcher, state, wakeUp }),
    settled,
  }
}

/** A new video can be kept as soon as the list shows it. */
function onNewList({ store, platform, signal }: Refresher, state: State, wake: () => void): void {
  const stop = watchDatabase(store.dexie, () => readListEtag(store), {
    changed: (list) => {
      if (state.list === undefined || state.list === list) return
      state.list = list
      state.askedAt = null
      wake()
    },
    failed: platform.report,
    isKnown: true,
  })
  signal.addEventListener('abort', stop)
}

/** One at a time fetches for a member, of all tabs and the service worker. */
const withShelfLock = ({ store, platform, signal }: Refresher, work: () => Promise<void>): Promise<void> =>
  platform.locks.request(`alliance-shelf-${store.memberId}`, { signal }, work)

/** Fetches once what no page has fetched meanwhile. What an open page says of its pause is left as it is. */
export async function fetchOnce(fetcher: Refresher): Promise<void> {
  await withShelfLock(fetcher, async () => {
    if ((await isMissing(fetcher.store)) && (await readPause(fetcher)) === null)
      await runOnce(fetcher, newState(), 'start')
  })
}

type ActionParts = { fetcher: Refresher; state: State; wakeUp: (reason: WakeReason) => void }

/** What the member does to the shelf. Each is written first, then acted on. */
function memberActions({ fetcher, state, wakeUp }: ActionParts): Omit<Shelf, 'start' | 'stop' | 'settled'> {
  const { store, platform, device } = fetcher
  const after = async (written: Promise<void>) => {
    await written
    wakeUp('write')
  }
  return {
    keep: (videoIds, form) => after(addKept(store, { videoIds, form, isAutomatic: false, at: platform.wall() })),
    remove: (videoIds) =>
      after(
        removeKept(store, videoIds)
          .then(() => sweepFiles(fetcher))
          .then(() => readShelfRow(store))
          .then(({ skipped }) =>
            changeShelfRow(store, { isFull: false, skipped: [...new Set([...skipped, ...videoIds])] }),
          ),
      ),
    removeAll: () => after(changeShelfRow(store, { keepsNext: false, isFull: false }).then(() => removeAll(fetcher))),
    choose: (choices) => {
      // The next videos follow from the server's word.
      if (choices.keepsNext !== undefined) state.askedAt = null
      return after(changeShelfRow(store, choices.keepsNext ? { ...choices, skipped: [] } : choices))
    },
    fetchNow: () => {
      device.allow()
      changeShelfRow(store, { isFull: false }).then(() => wakeUp('manual'), platform.report)
    },
    forgetRemoved: () => after(forgetRemoved(store)),
  }
}

type State = {
  failures: number
  outcome: FetchOutcome
  /** When the server last said what may be kept, on the monotonic clock. */
  askedAt: number | null
  /** What it said at an earlier opening still does. */
  isWordEnough: boolean
  /** The ETag of the list at the last look; null for none. */
  list: string | null | undefined
}

const newState = (): State => ({
  failures: 0,
  outcome: { kind: 'stopped' },
  askedAt: null,
  isWordEnough: false,
  list: undefined,
})

async function runOnce(fetcher: Refresher, state: State, reason: WakeReason): Promise<void> {
  const { store, platform, device, signal } = fetcher
  // First, so that nothing plays that the browser has torn.
  const facts = await (state.askedAt === null ? lockUp(fetcher) : readFacts(store))
  const isFirst = state.list === undefined
  state.list = facts.list
  // The server's word is about a list. A first opening has one in a moment, and then `onNewList` wakes. A later one may have none
  // again, while a tick of a video that has left the list waits.
  if (isFirst && facts.list === null && !facts.keepsAny) return
  if (!mayReachServer(platform, reason)) {
    state.outcome = { kind: 'paused', pause: 'signal' }
    return changeShelfRow(store, { pause: 'signal' })
  }
  const word = await findWord(fetcher, state, facts)
  if (word === null) return
  if (word.isIdle) {
    state.outcome = { kind: 'done', isPreparing: false }
    state.failures = 0
    return
  }
  if (word.isNew) {
    await sweepFiles(fetcher)
    await reportKept(fetcher)
  }
  const letSleep = (await isMissing(store)) ? device.keepGoing() : () => {}
  try {
    await changeShelfRow(store, { pause: null })
    state.outcome = await fetchAll(fetcher)
  } finally {
    letSleep()
  }
  if (signal.aborted) return
  const { outcome } = state
  if (outcome.kind === 'again') state.askedAt = null
  state.failures = failuresAfter(outcome, state.failures)
  await changeShelfRow(store, { pause: pauseOf(outcome) })
  await reportKept(fetcher)
}

/** Videos first. Captions and downloads are worth a wait, and what doesn't fit below the member's limit doesn't keep them off. */
async function fetchAll(fetcher: Refresher): Promise<FetchOutcome> {
  const videoFiles = await fetchMissing(fetcher)
  if (videoFiles.kind !== 'done' && !(videoFiles.kind === 'paused' && videoFiles.pause === 'limit')) return videoFiles
  // Before what may take a while: only what the server was told of can it name, should the browser remove it.
  await reportKept(fetcher)
  const pause = await fetchReading(fetcher)
  return pause === null ? videoFiles : { kind: 'paused', pause }
}

type Word = { isNew: boolean; isIdle: boolean }

/** What the server said lately, if that still holds, or says now. Null if it said nothing. */
async function findWord(fetcher: Refresher, state: State, facts: Facts): Promise<Word | null> {
  const known = { isNew: false, isIdle: facts.isIdle }
  const { platform, store } = fetcher
  if (state.askedAt !== null && platform.monotonic() - state.askedAt < usualDelayMs) return known
  // Not for longer: the server may have made a light version since.
  state.isWordEnough = state.askedAt === null && isWordEnough(facts, platform.wall())
  if (state.isWordEnough) return known
  const refreshed = await refreshShelf(fetcher, facts)
  if (refreshed !== 'later') state.askedAt = platform.monotonic()
  if (typeof refreshed === 'object') return { isNew: true, ...refreshed }
  state.outcome = { kind: 'done', isPreparing: false }
  if (refreshed === 'ended') return null
  state.failures += 1
  state.outcome = { kind: 'later', askedWaitMs: null, hasProgress: false }
  await changeShelfRow(store, { pause: 'server' })
  return null
}

/** Without the server's word for long enough, what was locked goes. */
async function lockUp(fetcher: Refresher): Promise<Facts> {
  const { store, platform, device } = fetcher
  const { isOverdue, facts } = await store.dexie.transaction(
    'rw',
    store.meta,
    store.snapshots,
    store.kept,
    async () => ({
      ...(await noteTime(store, platform.wall())),
      facts: await readFacts(store),
    }),
  )
  if (isOverdue) await removeAll(fetcher)
  else if (!facts.keepsAny && (await device.files.list()).size === 0) return facts
  await sweepFiles(fetcher)
  return readFacts(store)
}

/** A line that breaks but brings something is tried again soon. */
function failuresAfter(outcome: FetchOutcome, before: number): number {
  if (outcome.kind === 'again') return before + 1
  if (outcome.kind === 'later') return outcome.hasProgress ? 1 : before + 1
  return 0
}

function pauseOf(outcome: FetchOutcome) {
  if (outcome.kind === 'paused') return outcome.pause
  return outcome.kind === 'later' || outcome.kind === 'again' ? ('server' as const) : null
}

function delayAfter({ outcome, failures, askedAt, isWordEnough: isEnough }: State, platform: Platform): number {
  if (outcome.kind === 'later' || outcome.kind === 'again')
    return Math.max(
      backOffMs(Math.max(failures, 1), platform.random()),
      'askedWaitMs' in outcome ? (outcome.askedWaitMs ?? 0) : 0,
    )
  if (outcome.kind === 'done' && outcome.isPreparing) return preparingDelayMs
  if (outcome.kind === 'paused' && (outcome.pause === 'unsent' || outcome.pause === 'film')) return shortDelayMs
  return askedAt === null && !isEnough ? shortDelayMs : usualDelayMs
}
