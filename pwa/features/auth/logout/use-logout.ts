import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { countWaitingTicks, inTime, unsentTicksText } from '#pwa/features/auth/ended-login-store.ts'
import { logOut, openSession } from '#pwa/features/auth/session-store.ts'
import { loadFile } from '#pwa/lib/load-file.ts'
import { countOwnerWork, deleteOwnerWork } from '#pwa/lib/owner-work.ts'
import { sharedIds } from '#pwa/lib/shared-cache.ts'
import { hasStoredForms } from '#pwa/lib/stored-forms-flag.ts'
import { forgetUnsentWords, unsentCommitments } from '#pwa/sync/commitments/sealed.ts'
import type { Engine } from '#pwa/sync/progress/engine.ts'
import type { Questions } from '#pwa/sync/questions/engine.ts'
import type { UnsentQuestion } from '#pwa/sync/questions/shapes.ts'
import { useToast } from '#pwa/ui/toast.tsx'
import { formatLongDate } from '#shared/rules/london.ts'

/** Questions that a logout would delete, and what sends or deletes them one by one. */
export type LeftQuestions = { unsent: UnsentQuestion[]; queue: Questions }

/**
 * What a logout deletes that only the person can make good. Without signal they can't log in again either. `words`: what they said
 * they'd do, one by one. `drafts`: what an owner hasn't saved.
 */
export type Losses = {
  forms: number
  videos: number
  words: readonly string[]
  drafts: number
  questions: LeftQuestions | null
  hasSignal: boolean
}

/** A browser whose stores no longer respond doesn't keep anybody logged in. A slow phone's may take this long. */
const storesMs = 5_000
/** With the time it takes to send what could be sent. */
const findingMs = 15_000

/**
 * Logs out with or without signal, and shows nothing personal from then on. If that loses unsent forms or kept videos, the person
 * decides first.
 */
export function useLogout() {
  const [isLoggingOut, setLoggingOut] = useState(false)
  const [losses, setLosses] = useState<Losses | null>(null)
  // Only what has been named goes. The rest stays on the phone, locked until its member logs in again.
  const isNamed = useRef(true)
  const queryClient = useQueryClient()
  const toast = useToast()
  const navigate = useNavigate()
  const logOutNow = async () => {
    setLosses(null)
    setLoggingOut(true)
    try {
      const session = await openSession(queryClient)
      const waiting = await inTime(countWaitingTicks(session.sync.engine()), 0, storesMs)
      if (isNamed.current) {
        await inTime(deleteUnsentQuestions(session.sync.engine()), undefined, storesMs)
        await inTime(deleteUnsentWords(session.sync.engine()), undefined, storesMs)
        await inTime(deleteOwnerWork(), undefined, storesMs)
      }
      const isPending = (await logOut(session)) === 'pending'
      toast({
        title: 'Logged out',
        tone: 'ok',
        ...loggedOutText(isPending, unsentTicksText(waiting, session.sync.keepsTicks())),
      })
      await navigate({ to: '/' })
    } catch (error) {
      reportError(error)
      // The device's own store fails, but the server can still end the session.
      window.location.assign('/api/logout')
    }
  }
  const logout = async (isSure = false) => {
    setLoggingOut(true)
    const [forms, videos, foundDrafts, foundWords, foundQuestions] = await Promise.all([
      inTime(countUnsentForms(queryClient), 0, findingMs),
      isSure ? 0 : inTime(countKeptVideos(queryClient), 0, storesMs),
      inTime(countOwnerWork(), undefined, storesMs),
      inTime(findUnsentWords(queryClient), undefined, findingMs),
      inTime(findUnsentQuestions(queryClient), undefined, findingMs),
    ])
    isNamed.current = foundDrafts !== undefined && foundWords !== undefined && foundQuestions !== undefined
    const [drafts, words, questions] = [foundDrafts ?? 0, foundWords ?? [], foundQuestions ?? null]
    const hasSignal = navigator.onLine
    const isLossy = forms + videos + drafts + words.length > 0 || questions !== null
    const mustAsk = isLossy || (!isSure && !hasSignal && (await canAsk()))
    if (!mustAsk) return logOutNow()
    setLoggingOut(false)
    setLosses({ forms, videos, drafts, words, questions, hasSignal })
  }
  return { isLoggingOut, logout, losses, logOutNow, stay: () => setLosses(null) }
}

/** Without signal the question may not be on this phone. Nobody is kept from logging out for that. */
const canAsk = () =>
  loadFile(() => import('./logout-dialog.tsx')).then(
    () => true,
    () => false,
  )

function loggedOutText(isPending: boolean, unsent: string | null) {
  const sentences = [
    ...(isPending ? ['On this phone. We’ll finish logging you out when you’re back in range.'] : []),
    ...(unsent ? [unsent] : []),
  ]
  return sentences.length === 0 ? {} : { description: sentences.join(' '), duration: unsent ? 12_000 : 5_000 }
}

/** Tries once more to send them first. */
async function countUnsentForms(queryClient: QueryClient): Promise<number> {
  if (!hasStoredForms()) return 0
  const queue = (await loadFile(() => import('#pwa/features/forms/form-queue-store.ts'))).openFormQueue(queryClient)
  await queue.tryNow()
  return (await queue.readAll()).forms.length
}

/** Videos that play without signal. Fetching them again takes Wi-Fi and time. */
async function countKeptVideos(queryClient: QueryClient): Promise<number> {
  const engine = (await openSession(queryClient)).sync.engine()
  const rows = (await engine?.store.kept.toArray()) ?? []
  return rows.filter(({ whole }) => whole !== null).length
}

/** They've been named, and what's left of them was to go. What can't be deleted so goes with the store. */
async function deleteUnsentQuestions(engine: Engine | null): Promise<void> {
  if (engine === null || engine.isReadOnly) return
  const { dexie, questionOutbox, questionDrafts, questionFiles, questionBytes } = engine.store
  const tables = [questionOutbox, questionDrafts, questionFiles, questionBytes]
  await dexie.transaction('rw', tables, () => Promise.all(tables.map((table) => table.clear())))
}

/** They've been named too. */
async function deleteUnsentWords(engine: Engine | null): Promise<void> {
  if (engine !== null && !engine.isReadOnly) await forgetUnsentWords(engine.store)
}

/** How long another tab may be at what a share sheet left. */
const takingMs = 10_000

/** What a share sheet left here, and no page has taken yet, is named like what's written. */
async function takeLeftShares(engine: Engine): Promise<void> {
  if ((await inTime(sharedIds(), [], storesMs)).length === 0) return
  const [{ openQuestions }, { takeShared }] = await Promise.all([
    loadFile(() => import('#pwa/sync/questions/open-questions.ts')),
    loadFile(() => import('#pwa/features/questions/shared-storage.ts')),
  ])
  const { locks } = engine.platform
  await takeShared(openQuestions(engine), { locks, signal: AbortSignal.timeout(takingMs) })
}

/** How long what has just been asked may take to go. */
const sendingMs = 2_500

/** Null if there's nothing of them here but what the server has. */
async function findUnsentQuestions(queryClient: QueryClient): Promise<LeftQuestions | null> {
  const engine = (await openSession(queryClient)).sync.engine()
  if (engine === null || engine.isReadOnly) return null
  await takeLeftShares(engine).catch(reportError)
  const { questionOutbox, questionFiles, questionDrafts } = engine.store
  const waiting = (await questionOutbox.count()) + (await questionFiles.where('state').equals('waiting').count())
  if (waiting + (await questionDrafts.count()) === 0) return null
  const { openQuestions } = await loadFile(() => import('#pwa/sync/questions/open-questions.ts'))
  const queue = openQuestions(engine)
  if (waiting > 0 && navigator.onLine)
    await Promise.race([queue.syncNow(), new Promise((resolve) => setTimeout(resolve, sendingMs))])
  const unsent = await queue.readUnsent()
  return unsent.length === 0 ? null : { unsent, queue }
}

/** New texts and days of what they said they'd do that the server doesn't have. Tries once more to send them first. */
async function findUnsentWords(queryClient: QueryClient): Promise<string[]> {
  const engine = (await openSession(queryClient)).sync.engine()
  if (engine === null || engine.isReadOnly || (await engine.store.commitmentOutbox.count()) === 0) return []
  if (navigator.onLine && (await unsentCommitments(engine.store)).length > 0) await untilSentOrLate(engine)
  const unsent = await unsentCommitments(engine.store)
  return unsent.map(({ text, day }) => (day === null ? `“${text}”` : `“${text}”, by ${formatLongDate(day)}`))
}

const untilSentOrLate = (engine: Engine) =>
  Promise.race([engine.syncNow(), new Promise((resolve) => setTimeout(resolve, sendingMs))])
