import type Dexie from 'dexie'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { watchDatabase } from '#pwa/sync/database.ts'
import { createLive, useEngine } from '#pwa/sync/hooks.ts'
import type { MemberStore } from '#pwa/sync/progress/store.ts'
import type { Questions } from './engine.ts'
import { openQuestions } from './open-questions.ts'
import type {
  AskOutcome,
  Draft,
  DraftChange,
  DraftStart,
  QuestionThread,
  QuestionThreads,
  VoiceWriter,
} from './shapes.ts'
import { readThread, readThreads } from './views.ts'

// The screens of questions load this with themselves; the first load of the members' area doesn't have it.

export function useQuestions(): Questions {
  const engine = useEngine()
  return useMemo(() => openQuestions(engine), [engine])
}

const threads = createLive(readThreads)

/** Reads before the screen mounts, so that it starts with its rows. */
export const beginThreads = (store: MemberStore): Promise<void> => threads.begin(store)

/** Undefined until we've read the store. */
export const useQuestionThreads = (): QuestionThreads | undefined => threads.use()

/** Undefined until we've read the store; null if there's none of this id. */
export function useQuestionThread(id: string): QuestionThread | null | undefined {
  const { store } = useQuestions()
  return useWatched(
    store.dexie,
    useCallback(() => readThread(store, id), [store, id]),
  )
}

export type DraftHandle = {
  /** Undefined until we've read the store. What it begins with, if nothing's written yet. */
  draft: Draft | undefined
  /** Shows at once, and is kept as it's typed. */
  change(change: DraftChange): void
  /** Rejects with a `DraftError`. */
  addPhoto(photo: Blob): Promise<string>
  removeFile(fileId: string): Promise<void>
  /** Rejects with a `DraftError`. `type`: the recorder's `mimeType`. */
  startVoice(type: string): Promise<VoiceWriter>
  discard(): Promise<void>
  /** Resolves once it's kept on this phone. */
  ask(): Promise<AskOutcome>
}

const noStart: DraftStart = {}

const emptyDraft = (key: string, start: DraftStart): Draft => ({
  key,
  text: '',
  about: null,
  origin: 'header',
  mayPublish: false,
  questionId: null,
  ...start,
  photos: [],
  voice: null,
  changedAt: 0,
})

/**
 * What's being written under `key`, such as `video-<id>`, `header` or `thread-<question id>`. `start` is what it begins with; give
 * `questionId` to add to a question.
 */
export function useDraft(key: string, start: DraftStart = noStart): DraftHandle {
  const questions = useQuestions()
  const stored = useWatched(
    questions.store.dexie,
    useCallback(() => questions.readDraft(key), [questions, key]),
  )
  // What was typed last is ahead of the store.
  const [typed, setTyped] = useState<{ key: string; change: DraftChange }>({ key, change: {} })
  const latest = useRef(start)
  latest.current = start
  const change = typed.key === key ? typed.change : undefined
  const draft = useMemo(
    () => (stored === undefined ? undefined : { ...(stored ?? emptyDraft(key, latest.current)), ...change }),
    [stored, change, key],
  )
  const forget = useCallback(() => setTyped({ key, change: {} }), [key])
  return {
    draft,
    change: useCallback(
      (next: DraftChange) => {
        setTyped((before) => ({ key, change: before.key === key ? { ...before.change, ...next } : next }))
        questions.changeDraft(key, next, latest.current).catch(reportError)
      },
      [questions, key],
    ),
    addPhoto: useCallback((photo: Blob) => questions.addPhoto(key, photo, latest.current), [questions, key]),
    removeFile: questions.removeFile,
    startVoice: useCallback((type: string) => questions.startVoice(key, type, latest.current), [questions, key]),
    discard: useCallback(async () => {
      await questions.discardDraft(key)
      forget()
    }, [questions, key, forget]),
    ask: useCallback(async () => {
      const outcome = await questions.ask(key)
      if (outcome.kind === 'kept') forget()
      return outcome
    }, [questions, key, forget]),
  }
}

/**
 * A file's bytes as an address for `<img>` and `<audio>`. Undefined while it's being read, null if it can't be had now. The address
 * ends with the screen.
 */
export function useFileAddress(fileId: string, isWanted = true): string | null | undefined {
  const questions = useQuestions()
  const [address, setAddress] = useState<string | null>()
  useEffect(() => {
    if (!isWanted) return
    let made: string | null = null
    let isOver = false
    questions.readFile(fileId).then((blob) => {
      if (isOver) return
      made = blob && URL.createObjectURL(blob)
      setAddress(made)
    }, reportError)
    return () => {
      isOver = true
      setAddress(undefined)
      if (made !== null) URL.revokeObjectURL(made)
    }
  }, [questions, fileId, isWanted])
  return address
}

function useWatched<Result>(dexie: Dexie, read: () => Promise<Result>): Result | undefined {
  const [seen, setSeen] = useState<{ read: typeof read; result: Result }>()
  useEffect(
    () => watchDatabase(dexie, read, { changed: (result) => setSeen({ read, result }), failed: reportError }),
    [dexie, read],
  )
  return seen?.read === read ? seen.result : undefined
}
