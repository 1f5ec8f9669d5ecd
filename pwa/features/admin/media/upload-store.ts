import type { QueryClient } from '@tanstack/react-query'
import { isOffline, messageOf, RequestError } from '#pwa/lib/request-error.ts'
import type { MediaFile, MediaUpload } from '#shared/contract/media.ts'
import { maxChunkBytes } from '#shared/contract/upload-piece.ts'
import { requestFinish, requestUpload, sendPiece, type UploadAim } from './queries.ts'

/**
 * `waiting` for its turn or for signal, `sending`, `checking` what has arrived, `paused` by a person, `refused` for good, `done`.
 * `problem` says why it waits, or why it was refused.
 */
export type UploadState = 'waiting' | 'sending' | 'checking' | 'paused' | 'refused' | 'done'

export type Upload = UploadAim & {
  key: number
  name: string
  bytes: number
  sent: number
  state: UploadState
  problem: string | null
  /** What it has become. */
  stored: MediaFile | null
}

type Entry = { upload: Upload; file: File; id: string | null; abort: AbortController }

const smallest = 64 * 1024
/** So long a piece should take: the bar moves, and little is lost with the line. */
const pieceMs = 2000

/** The next piece's size, after one of `bytes` took `ms`. */
export const nextPieceBytes = (bytes: number, ms: number): number =>
  Math.round(Math.min(maxChunkBytes, Math.max(smallest, bytes * Math.min(2, Math.max(0.5, pieceMs / Math.max(1, ms))))))

const longestWaitMs = 30_000

type State = {
  entries: readonly Entry[]
  /** What is shown of them; another list after each change. */
  shown: readonly Upload[]
  isRunning: boolean
  lastKey: number
  listeners: Set<() => void>
}

function publishUploads(state: State): void {
  state.shown = state.entries.map(({ upload }) => upload)
  const isUnfinished = state.shown.some((upload) => ['waiting', 'sending', 'checking'].includes(upload.state))
  if (isUnfinished) window.addEventListener('beforeunload', askBeforeLeaving)
  else window.removeEventListener('beforeunload', askBeforeLeaving)
  for (const listener of state.listeners) listener()
}

function changeUpload(state: State, entry: Entry, changes: Partial<Upload>): void {
  entry.upload = { ...entry.upload, ...changes }
  publishUploads(state)
}

async function sendFile(state: State, entry: Entry): Promise<void> {
  const { file, upload, abort } = entry
  let begun: MediaUpload = await requestUpload(file, upload, abort.signal)
  entry.id = begun.id
  let size = smallest * 4
  while (begun.offset < file.size) {
    changeUpload(state, entry, { state: 'sending', sent: begun.offset, problem: null })
    const startedAt = performance.now()
    begun = await sendPiece(begun, file.slice(begun.offset, begun.offset + size), abort.signal)
    // It would go on for ever.
    if (begun.offset <= entry.upload.sent) throw new Error('Part of the file didn’t upload.')
    size = nextPieceBytes(size, performance.now() - startedAt)
  }
  changeUpload(state, entry, { state: 'checking', sent: file.size, problem: null })
  changeUpload(state, entry, { state: 'done', stored: await requestFinish(begun.id, abort.signal) })
}

/** Says what went wrong. True where it is worth another try by itself. */
function recordFailure(state: State, entry: Entry, error: unknown): boolean {
  if (entry.abort.signal.aborted) return false
  const known = error instanceof Error ? error : new Error(String(error))
  // There is no form with fields: what is wrong with the name or the size is said of the file.
  const [ofField] = known instanceof RequestError ? Object.values(known.fields) : []
  const problem = ofField ?? messageOf(known, 'We couldn’t upload the file. Try again.')
  if (isPassing(known)) {
    changeUpload(state, entry, {
      state: 'waiting',
      problem: isOffline(known) ? 'No signal. We’ll carry on when you’re back online.' : problem,
    })
    return true
  }
  const isForPerson = known instanceof RequestError && [401, 403].includes(known.status)
  changeUpload(state, entry, { state: isForPerson ? 'paused' : 'refused', problem })
  return false
}

async function sendWithRetries(state: State, entry: Entry): Promise<void> {
  for (let failures = 0; entry.upload.state === 'waiting'; failures += 1) {
    if (failures > 0) await waitForLine(Math.min(longestWaitMs, 500 * 2 ** failures), entry.abort.signal)
    const before = entry.upload.sent
    try {
      if (!entry.abort.signal.aborted) await sendFile(state, entry)
    } catch (error) {
      if (!recordFailure(state, entry, error)) return
      if (entry.upload.sent > before) failures = 0
    }
  }
}

async function sendWaiting(state: State): Promise<void> {
  if (state.isRunning) return
  state.isRunning = true
  const next = () => state.entries.find(({ upload }) => upload.state === 'waiting')
  for (let entry = next(); entry !== undefined; entry = next()) await sendWithRetries(state, entry)
  state.isRunning = false
}

/** Returns the keys by which the list knows them. */
function addFiles(state: State, files: readonly File[], aim: (file: File) => UploadAim): number[] {
  const added = files.map((file): Entry => {
    state.lastKey += 1
    const { name, size: bytes } = file
    const beginning = { name, bytes, sent: 0, state: 'waiting', problem: null, stored: null } as const
    return { upload: { key: state.lastKey, ...beginning, ...aim(file) }, file, id: null, abort: new AbortController() }
  })
  state.entries = [...state.entries, ...added]
  publishUploads(state)
  void sendWaiting(state).catch(reportError)
  return added.map(({ upload }) => upload.key)
}

/**
 * The uploads of this page, one file after the other: on a bad line the first is there sooner. They go on while the owner is at
 * another place of the admin. Where the line breaks they wait, and go on from what has arrived.
 */
function createUploadStore() {
  const state: State = { entries: [], shown: [], isRunning: false, lastKey: 0, listeners: new Set() }
  const entryOf = (key: number) => state.entries.find(({ upload }) => upload.key === key)
  return {
    list: () => state.shown,
    subscribe: (listener: () => void) => {
      state.listeners.add(listener)
      return () => void state.listeners.delete(listener)
    },
    add: (files: readonly File[], aim: (file: File) => UploadAim) => addFiles(state, files, aim),
    pause: (key: number) => {
      const entry = entryOf(key)
      entry?.abort.abort()
      if (entry) changeUpload(state, entry, { state: 'paused', problem: null })
    },
    resume: (key: number) => {
      const entry = entryOf(key)
      if (entry === undefined) return
      entry.abort = new AbortController()
      changeUpload(state, entry, { state: 'waiting', problem: null })
      void sendWaiting(state).catch(reportError)
    },
    /** Takes it from the list, and returns what the server knows it by, if it is not finished. */
    remove: (key: number): string | null => {
      const entry = entryOf(key)
      if (entry === undefined) return null
      entry.abort.abort()
      state.entries = state.entries.filter((other) => other !== entry)
      changeUpload(state, entry, { state: 'paused' })
      return entry.upload.stored === null ? entry.id : null
    },
  }
}

export type UploadStore = ReturnType<typeof createUploadStore>

const askBeforeLeaving = (event: Event) => event.preventDefault()

/** The line, or a server that is busy; or a piece that had arrived although its response was lost. */
const isPassing = (error: Error): boolean =>
  error instanceof RequestError &&
  (error.status === 0 || error.status >= 500 || error.status === 429 || error.status === 409) &&
  error.code !== 'internal'

/** Ends at once when signal is back, or when it is paused. */
function waitForLine(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const end = () => {
      clearTimeout(timer)
      window.removeEventListener('online', end)
      signal.removeEventListener('abort', end)
      done()
    }
    const timer = setTimeout(end, ms)
    window.addEventListener('online', end)
    signal.addEventListener('abort', end)
  })
}

const stores = new WeakMap<QueryClient, UploadStore>()

/** The uploads of this page, as long as it is open. */
export function uploadStoreOf(queryClient: QueryClient): UploadStore {
  const known = stores.get(queryClient) ?? createUploadStore()
  stores.set(queryClient, known)
  return known
}
