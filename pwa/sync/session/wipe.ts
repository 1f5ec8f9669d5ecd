import { showBadge } from '#pwa/lib/badge.ts'
import { loadFile } from '#pwa/lib/load-file.ts'
import { answerVoiceCache, deleteOwnerWork, hasOwnerWork, ownerDraftPrefix } from '#pwa/lib/owner-work.ts'
import { forgetAllShared } from '#pwa/lib/shared-cache.ts'
import { deviceStorage, tabStorage } from '#pwa/lib/storage.ts'
import { isUnwiped, storeName, unwiped } from '#pwa/lib/unwiped.ts'
import { isClosing } from '#pwa/sync/database.ts'
import { wipeKeptFiles, withKeptFiles } from '#pwa/sync/kept-files.ts'
import type { Platform } from '#pwa/sync/platform.ts'
import { enterJotted, isJottedBy } from '#pwa/sync/progress/jotted.ts'
import { type MemberStore, openMemberStore } from '#pwa/sync/progress/store.ts'
import { readDevice, type StoreRow } from './device-store.ts'
import { type Sealer, sealStore } from './seal.ts'

/** How long each part of a wipe may take: another tab may hold it, or the browser not answer. */
const partTimeoutMs = 3_000
const logoutTimeoutMs = 10_000

type Wiping = Pick<Platform, 'after' | 'report'>
/** `isLate`: nobody waits any more, and its member may be back. False if it stopped because of that. */
type WipePart = (isLate: () => boolean) => Promise<boolean>

/** What fails or takes too long doesn't stop the other parts: it's noted, and the next opening does it again. Never rejects. */
async function wipePart({ after, report }: Wiping, name: string, wipe: WipePart): Promise<boolean> {
  let isLate = false
  const { promise: timeout, resolve: goOn } = Promise.withResolvers<boolean>()
  const cancel = after(partTimeoutMs, () => {
    isLate = true
    goOn(false)
  })
  const wiped = wipe(() => isLate).catch((error: unknown) => {
    // The page may have closed the device's own database since.
    if (!isLate && !isClosing(error)) report(error)
    return false
  })
  const isWiped = await Promise.race([wiped, timeout])
  cancel()
  unwiped.note(name, !isWiped)
  if (isLate) wiped.then((isDone) => isDone && unwiped.note(name, false))
  return isWiped
}

/** Seals what's pending and wipes the stores of everyone who doesn't stay. Safe to run again after a crash at any point. */
export async function leaveStores(sealer: Sealer, stays: readonly string[]): Promise<number> {
  const leaving = (await sealer.device.stores.toArray()).filter(
    ({ memberId }) => !stays.includes(memberId) && !isUnwiped(memberId),
  )
  // First, and apart: what fails with a store mustn't cost it. It's of the one person who was here.
  const [own] = leaving.filter(({ isReadOnly }) => !isReadOnly)
  if (own) await sealWork(sealer, own.memberId)
  for (const row of leaving) await leaveStore(sealer, row)
  return leaving.length
}

const leaveStore = (sealer: Sealer, row: StoreRow) =>
  wipePart(sealer.platform, storeName(row.memberId), (isLate) => wipeStore(sealer, row, isLate))

/** Seals the store, empties it, then deletes it. We forget it once it's gone. */
async function wipeStore({ device, platform }: Sealer, row: StoreRow, isLate: () => boolean): Promise<boolean> {
  const { memberId, isReadOnly } = row
  const store = openMemberStore(memberId, platform.database)
  const { dexie, meta } = store
  try {
    if (!isReadOnly) {
      await enterJotted(store, platform)
      await sealStore({ device, platform }, store)
      if (await hasUnsentQuestions(store)) await sealUnsentQuestions({ device, platform }, store)
    }
    if (isLate()) return false
    await dexie.transaction('rw', dexie.tables, async () => {
      for (const table of dexie.tables) await table.clear()
      await meta.put({ key: 'closed' })
    })
    if (isLate()) return false
    await dexie.delete()
    if (!isLate() || isUnwiped(memberId)) await device.stores.delete(memberId)
    return true
  } finally {
    dexie.close()
  }
}

/** Few have any, and so what seals them is in its own file. */
const hasUnsentQuestions = async ({ questionOutbox, questionDrafts, questionFiles }: MemberStore): Promise<boolean> =>
  (await questionOutbox.count()) +
    (await questionDrafts.count()) +
    (await questionFiles.where('state').anyOf('draft', 'waiting').count()) >
  0

async function sealUnsentQuestions(sealer: Sealer, store: MemberStore): Promise<void> {
  const { sealQuestions } = await loadFile(() => import('./sealed-questions.ts'))
  await sealQuestions(sealer, store)
}

const lastWork = { isSealed: true }

/** Whether what an owner hadn't saved could be sealed as they left this page's session. If not, it's gone. */
export const isWorkSealed = (): boolean => lastWork.isSealed

/** What fails or takes too long is deleted with the rest: nothing personal stays readable. */
async function sealWork(sealer: Sealer, memberId: string): Promise<void> {
  const { platform } = sealer
  const { promise: timeout, resolve: goOn } = Promise.withResolvers<boolean>()
  const cancel = platform.after(partTimeoutMs, () => goOn(false))
  const seal = async () => {
    if (!(await hasOwnerWork())) return true
    const { sealOwnerWork } = await loadFile(() => import('./sealed-owner-work.ts'))
    await sealOwnerWork(sealer, memberId)
    return true
  }
  const sealed = seal().catch((error: unknown) => {
    platform.report(error)
    return false
  })
  lastWork.isSealed = await Promise.race([sealed, timeout])
  cancel()
}

/** Does again what an earlier logout couldn't. */
export async function wipeAgain(sealer: Sealer): Promise<void> {
  const { device, platform } = sealer
  for (const memberId of unwiped.members())
    await leaveStore(sealer, (await device.stores.get(memberId)) ?? { memberId, isReadOnly: false })
  // The person who's here may be an owner, with work of their own.
  const keepsWork = (await readDevice(device)).all.length > 0
  for (const name of unwiped.read()) if (isTrace(name)) await wipeTrace(platform, name, keepsWork)
}

/** Ends the session at the server. A 401 means it has already ended; a Wi-Fi sign-in page proves nothing. */
export async function postLogout(platform: Platform): Promise<boolean> {
  const request = new AbortController()
  const cancel = platform.after(logoutTimeoutMs, () => request.abort())
  try {
    const init = { method: 'POST', credentials: 'include', redirect: 'error', cache: 'no-store' } as const
    const { ok, status, headers } = await platform.fetch('/api/auth/logout', { ...init, signal: request.signal })
    return (ok || status === 401) && !(headers.get('content-type') ?? '').startsWith('text/html')
  } catch {
    // No signal: still pending.
    return false
  } finally {
    cancel()
  }
}

/** Logging out deletes this cache, and the API's responses in any other. */
export const personalCacheName = 'alliance-personal'

export type TraceWiperParts = {
  /** Whether this local storage key holds nothing about the person logging out. */
  isKeyRetained: (key: string) => boolean
  /** Clears memory, which could otherwise be written back, and other stores. */
  clearMemory: () => Promise<void>
  platform: Wiping & Pick<Platform, 'locks'>
}

/**
 * Deletes what's stored about a person outside their member store: local storage, cached responses, kept videos. Rejects, after the
 * rest, if the forms can't be deleted: the logout stays pending, which knows whose they are. `isView`: an owner only begins or stops viewing
 * as a member, and what's theirs stays.
 */
export type WipeTraces = (by?: { isView: boolean }) => Promise<void>

export function createTraceWiper({ isKeyRetained, clearMemory, platform }: TraceWiperParts): WipeTraces {
  return async ({ isView } = { isView: false }) => {
    const isCleared = await wipePart(platform, 'forms', () => clearMemory().then(() => true))
    // What's jotted down for a store that isn't sealed yet goes with it.
    const left = unwiped.members()
    const isJotted = (key: string) => left.some((memberId) => isJottedBy(memberId, key))
    const isOwners = (key: string) => isView && key.startsWith(ownerDraftPrefix)
    for (const key of deviceStorage.keys())
      if (!isKeyRetained(key) && !isJotted(key) && !isOwners(key)) deviceStorage.removeItem(key)
    for (const key of tabStorage.keys()) tabStorage.removeItem(key)
    await wipeTrace(platform, 'caches', isView)
    if (!isView) {
      showBadge(0)
      await wipeTrace(platform, 'films', false)
      await endNotices(platform)
    }
    if (!isCleared) throw new Error('Not every form could be deleted.')
  }
}

type Trace = (platform: Pick<Platform, 'locks'>, keepsWork: boolean) => Promise<unknown>

const traces = {
  caches: (_, keepsWork) => wipeCaches(keepsWork),
  films: ({ locks }) => withKeptFiles(locks, wipeKeptFiles),
} satisfies Record<string, Trace>

const isTrace = (name: string): name is keyof typeof traces => name in traces

const wipeTrace = (platform: TraceWiperParts['platform'], name: keyof typeof traces, keepsWork: boolean) =>
  wipePart(platform, name, () => traces[name](platform, keepsWork).then(() => true))

/** Without signal a push service may not hear of it. The server ends it with the login anyway. */
const noticeTimeoutMs = 1_000

/** Closes the notices shown here, and ends this browser's subscription. What fails is the worker's to end. */
async function endNotices({ after }: Pick<Platform, 'after'>): Promise<void> {
  const worker = globalThis.navigator?.serviceWorker
  if (!worker || globalThis.Notification?.permission !== 'granted') return
  const { promise: late, resolve: goOn } = Promise.withResolvers<void>()
  const cancel = after(noticeTimeoutMs, goOn)
  await Promise.race([late, endNoticesOf(worker).catch(() => {})])
  cancel()
}

async function endNoticesOf(worker: ServiceWorkerContainer): Promise<void> {
  const registration = await worker.getRegistration()
  const shown = (await registration?.getNotifications()) ?? []
  for (const notice of shown) notice.close()
  await (await registration?.pushManager?.getSubscription())?.unsubscribe()
}

async function wipeCaches(keepsWork: boolean): Promise<void> {
  if (!('caches' in globalThis)) return
  await Promise.all([caches.delete(personalCacheName), forgetAllShared(), ...(keepsWork ? [] : [deleteOwnerWork()])])
  // Not before: opening one that's being deleted makes it anew.
  await forgetResponses()
}

async function forgetResponses(): Promise<void> {
  for (const name of await caches.keys()) {
    if (name === answerVoiceCache) continue
    const cache = await caches.open(name)
    for (const request of await cache.keys()) {
      if (new URL(request.url).pathname.startsWith('/api/')) await cache.delete(request)
    }
  }
}
