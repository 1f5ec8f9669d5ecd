import type { QueryClient } from '@tanstack/react-query'
import { loadFile } from '#pwa/lib/load-file.ts'
import { isOffline, messageOf, RequestError } from '#pwa/lib/request-error.ts'
import type { MediaFile, MediaUpload } from '#shared/contract/media.ts'
import { maxChunkBytes } from '#shared/contract/upload-piece.ts'
import { requestFinish, requestUpload, sendPiece, type UploadAim } from './queries.ts'

/**
 * `waiting` for its turn or a signal; `asking` whether to send a video that many devices can't show; `sending`; `checking` on the
 * server; `paused` by the owner; `refused` for good; `done`. `problem` says why it’s waiting, asking, paused or refused.
 */
export type UploadState = 'waiting' | 'asking' | 'sending' | 'checking' | 'paused' | 'refused' | 'done'

export type Upload = UploadAim & {
  key: number
  name: string
  bytes: number
  sent: number
  state: UploadState
  problem: string | null
  stored: MediaFile | null
}

type Entry = { upload: Upload; file: File; id: string | null; abort: AbortController; isHeard: boolean }

const smallest = 64 * 1024
/** Pieces are sized to take about this long: the bar keeps moving, and a lost connection costs little. */
const pieceMs = 2000

export const nextPieceBytes = (bytes: number, ms: number): number =>
  Math.round(Math.min(maxChunkBytes, Math.max(smallest, bytes * Math.min(2, Math.max(0.5, pieceMs / Math.max(1, ms))))))

const longestWaitMs = 30_000

type State = {
  entries: readonly Entry[]
  /** A new array after each change, for `useSyncExternalStore`. */
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

/** Whether its owner has to hear something first: a video file's own boxes say whether it plays everywhere. */
async function hasProblem(state: State, entry: Entry): Promise<boolean> {
  if (entry.isHeard || !/\.(mp4|mov|m4v|m4a)$/i.test(entry.file.name)) return false
  const { problemOfTracks, readTracks } = await loadFile(() => import('#shared/rules/video-tracks.ts'))
  const problem = problemOfTracks(await readTracks(entry.file))
  entry.isHeard = true
  if (problem === null) return false
  changeUpload(state, entry, { state: problem.mayGo ? 'asking' : 'refused', problem: problem.sentence })
  return true
}

async function sendFile(state: State, entry: Entry): Promise<void> {
  const { file, upload, abort } = entry
  if (await hasProblem(state, entry)) return
  let begun: MediaUpload = await requestUpload(file, upload, abort.signal)
  entry.id = begun.id
  let size = smallest * 4
  while (begun.offset < file.size) {
    changeUpload(state, entry, { state: 'sending', sent: begun.offset, problem: null })
    const startedAt = performance.now()
    begun = await sendPiece(begun, file.slice(begun.offset, begun.offset + size), abort.signal)
    if (begun.offset <= entry.upload.sent) throw new Error('Part of the file didn’t upload.')
    size = nextPieceBytes(size, performance.now() - startedAt)
  }
  changeUpload(state, entry, { state: 'checking', sent: file.size, problem: null })
  changeUpload(state, entry, { state: 'done', stored: await requestFinish(begun.id, abort.signal) })
}

/** Returns whether to retry automatically. */
function recordFailure(state: State, entry: Entry, error: unknown): boolean {
  if (entry.abort.signal.aborted) return false
  const known = error instanceof Error ? error : new Error(String(error))
  // No form fields here, so show a field’s error with the file.
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

function addFiles(state: State, files: readonly File[], aim: (file: File) => UploadAim): number[] {
  const added = files.map((file): Entry => {
    state.lastKey += 1
    const { name, size: bytes } = file
    const beginning = { name, bytes, sent: 0, state: 'waiting', problem: null, stored: null } as const
    return {
      upload: { key: state.lastKey, ...beginning, ...aim(file) },
      file,
      id: null,
      abort: new AbortController(),
      isHeard: false,
    }
  })
  state.entries = [...state.entries, ...added]
  publishUploads(state)
  void sendWaiting(state).catch(reportError)
  return added.map(({ upload }) => upload.key)
}

/**
 * One file at a time, so that the first is there sooner on a slow connection. Uploads carry on while the owner is elsewhere in
 * the admin. After a lost connection they resume from the bytes the server has.
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
    /** Returns the server’s id for an unfinished upload, so that the caller can delete that too. */
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

/** Worth a retry: offline, server busy, or a conflict because the piece arrived but its response was lost. */
const isPassing = (error: Error): boolean =>
  error instanceof RequestError &&
  (error.status === 0 || error.status >= 500 || error.status === 429 || error.status === 409) &&
  error.code !== 'internal'

/** Ends early when the signal returns or the upload is paused. */
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

/** One store for as long as the page is open. */
export function uploadStoreOf(queryClient: QueryClient): UploadStore {
  const known = stores.get(queryClient) ?? createUploadStore()
  stores.set(queryClient, known)
  return known
}
