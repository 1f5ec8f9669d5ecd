import * as v from 'valibot'
import { withKeptFiles } from '#pwa/sync/kept-files.ts'
import type { ShelfPause } from '#pwa/sync/progress/kept.ts'
import { hasUnsentTicks, isClosed } from '#pwa/sync/progress/store.ts'
import { MediaPieces } from '#shared/contract/media.ts'
import { hasRoomFor, nextStep, type Step, stepKey, whyWait, withinLimit } from '#shared/rules/shelf.ts'
import { pieceBytes } from '#shared/values/media.ts'
import type { Refresher } from './refresh.ts'
import { ask, type Failure, failureOf, fetchPiece, readJson } from './request.ts'
import { changeShelfRow, forgetPieces, isWanted, readShelfRow, takePiece, takePieces } from './store.ts'

const piecesAtOnce = 2

/** `again`: what the server said doesn't hold any more, so its word has to be asked again. */
export type FetchOutcome =
  | { kind: 'done'; isPreparing: boolean }
  | { kind: 'paused'; pause: ShelfPause }
  | { kind: 'later'; askedWaitMs: number | null; hasProgress: boolean }
  | { kind: 'again' }
  | { kind: 'stopped' }

/** `unwanted`: its video was deleted meanwhile, or the member has logged out. */
type StepResult = 'held' | 'unwanted' | 'preparing' | 'full' | Failure

/** Why nothing may be fetched at this moment. */
export async function readPause({ store, platform, device }: Refresher): Promise<ShelfPause | null> {
  const [{ isWifiOnly, isFull }, hasTicks, hasForms, isVideoPlaying] = await Promise.all([
    readShelfRow(store),
    hasUnsentTicks(store),
    device.hasUnsentForms(),
    device.isVideoPlaying(),
  ])
  if (isFull) return 'room'
  return whyWait({
    isOnline: platform.isOnline(),
    hasUnsent: hasTicks || hasForms,
    isVideoPlaying,
    network: device.network(),
    isWifiOnly,
    isAllowed: device.isAllowed(),
  })
}

/**
 * Fetches piece after piece until nothing is missing, or something says stop. It reads the rows before each, so what another tab
 * keeps or removes counts straight away.
 */
export async function fetchMissing(fetcher: Refresher): Promise<FetchOutcome> {
  const cut = new AbortController()
  const work: Work = { underWay: new Map(), preparing: new Set(), held: 0 }
  const stopListening = fetcher.device.onChange(() => {
    // A video that begins to play needs the line now, not after the piece.
    readPause(fetcher).then((pause) => pause !== null && pause !== 'unsent' && cut.abort(), fetcher.platform.report)
  })
  try {
    const cutter = { ...fetcher, signal: AbortSignal.any([fetcher.signal, cut.signal]) }
    for (;;) {
      const outcome = await fetchOne(cutter, work)
      if (fetcher.signal.aborted) return { kind: 'stopped' }
      if (cut.signal.aborted) return { kind: 'paused', pause: (await readPause(fetcher)) ?? 'film' }
      if (outcome !== null) return outcome.kind === 'later' ? await afterOthers(outcome, work) : outcome
    }
  } finally {
    stopListening()
    cut.abort()
    await Promise.allSettled(work.underWay.values())
  }
}

/** The other piece may still be coming, though this one's line was cut. */
async function afterOthers(
  outcome: Extract<FetchOutcome, { kind: 'later' }>,
  { underWay }: Work,
): Promise<FetchOutcome> {
  const results = await Promise.all(underWay.values())
  const came = results.some(
    ({ result }) => result === 'held' || (typeof result === 'object' && 'hasBytes' in result && result.hasBytes),
  )
  return { ...outcome, hasProgress: outcome.hasProgress || came }
}

type Work = {
  underWay: Map<string, Promise<{ key: string; result: StepResult }>>
  /** Videos whose pieces the server doesn't know yet. */
  preparing: Set<string>
  /** Pieces that arrived in this run. */
  held: number
}

/** Begins what's next, and waits for what's done first. Null while there's more to fetch. */
async function fetchOne(fetcher: Refresher, work: Work): Promise<FetchOutcome | null> {
  const { underWay, preparing } = work
  const pause = await readPause(fetcher)
  if (pause !== null) return { kind: 'paused', pause }
  const [rows, { mostBytes }] = await Promise.all([fetcher.store.kept.toArray(), readShelfRow(fetcher.store)])
  const within = withinLimit(rows, mostBytes)
  // A replaced video's new one waits, so that it doesn't take the place of one that's being watched.
  const wanted = (await fetcher.device.isKeptPlaying()) ? within.filter(({ whole }) => whole === null) : within
  while (underWay.size < piecesAtOnce) {
    const step = nextStep(wanted, new Set([...underWay.keys(), ...preparing]))
    if (step === null) break
    const key = stepKey(step)
    underWay.set(
      key,
      takeStep(fetcher, step, underWay.size).then((result) => ({ key, result })),
    )
  }
  if (underWay.size === 0)
    return within.length < rows.length
      ? { kind: 'paused', pause: 'limit' }
      : { kind: 'done', isPreparing: preparing.size > 0 }
  const { key, result } = await Promise.race(underWay.values())
  underWay.delete(key)
  if (result === 'preparing') preparing.add(key)
  if (result === 'held') work.held += 1
  if (result === 'unwanted' && (await isClosed(fetcher.store))) return { kind: 'stopped' }
  if (result === 'preparing' || result === 'held' || result === 'unwanted') return null
  return result === 'full' ? { kind: 'paused', pause: 'room' } : outcomeOf(result, work.held > 0)
}

const outcomeOf = (failure: Failure, hasProgress: boolean): FetchOutcome =>
  failure.kind === 'later' ? { ...failure, hasProgress: hasProgress || failure.hasBytes === true } : { kind: 'again' }

async function takeStep(fetcher: Refresher, step: Step, others: number): Promise<StepResult> {
  if (step.kind === 'pieces') return askPieces(fetcher, step)
  // What is under way isn't in the browser's count yet.
  if (!hasRoomFor((others + 1) * pieceBytes, await fetcher.device.room())) return 'full'
  const bytes = await fetchPiece(fetcher, step)
  return bytes instanceof ArrayBuffer ? storePiece(fetcher, step, bytes) : bytes
}

async function askPieces(fetcher: Refresher, { address, sha256 }: Step): Promise<StepResult> {
  const answer = await ask(fetcher, `${address}/pieces`)
  const read = answer?.status === 200 ? v.safeParse(MediaPieces, readJson(answer)) : null
  if (!read?.success) return failureOf(answer, fetcher.platform.wall())
  const { pieces, pieceBytes: size, sha256: current } = read.output
  if (current !== sha256 || size !== pieceBytes) return { kind: 'changed' }
  if (pieces === null) return 'preparing'
  await takePieces(fetcher.store, sha256, pieces)
  return 'held'
}

/** Written whole, then listed. After a logout, or once nobody wants it, it's dropped. */
async function storePiece(
  { store, platform, device, signal }: Refresher,
  { sha256, index }: Extract<Step, { kind: 'piece' }>,
  bytes: ArrayBuffer,
): Promise<StepResult> {
  let result: StepResult = 'unwanted'
  try {
    await withKeptFiles(
      platform.locks,
      async () => {
        if (!(await isWanted(store, sha256))) return
        if ((await readShelfRow(store)).isFull) {
          result = 'full'
          return
        }
        await device.files.write(sha256, index, bytes)
        await takePiece(store, sha256, index)
        result = 'held'
      },
      signal,
    )
    return result
  } catch (error) {
    if (error instanceof DOMException && error.name === 'QuotaExceededError') {
      await makeRoom({ store, platform, device, signal }, sha256)
      return 'full'
    }
    if (signal.aborted) return { kind: 'later', askedWaitMs: null }
    throw error
  }
}

/** A full store takes no ticks either, so what was begun of this video goes at once. */
async function makeRoom({ store, platform, device, signal }: Refresher, sha256: string): Promise<void> {
  await withKeptFiles(
    platform.locks,
    async () => {
      await device.files.remove(sha256)
      await forgetPieces(store, sha256)
      // In here, so that the other piece, which is on its way, isn't written after all.
      await changeShelfRow(store, { isFull: true })
    },
    signal,
  )
}
