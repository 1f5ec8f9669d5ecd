import { treaty } from '@elysiajs/eden/treaty2'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState, useSyncExternalStore } from 'react'
import type { App } from '#api/app.ts'
import { ask } from '#pwa/lib/api.ts'
import { isDraftSince } from '#pwa/lib/draft.ts'
import { areFormsKept, formsKeptKey } from '#pwa/lib/forms-kept.ts'
import { owedLogoutKey } from '#pwa/lib/owed-logout.ts'
import { privacyChoiceKey } from '#pwa/lib/privacy-choice.ts'
import { forgetAnswers } from '#pwa/lib/query-client.ts'
import { RequestError } from '#pwa/lib/request-error.ts'
import { deviceStorage } from '#pwa/lib/storage.ts'
import { createBrowserPlatform, requestPersistentStorage } from '#pwa/sync/browser-platform.ts'
import type { Engine } from '#pwa/sync/progress/engine.ts'
import { saveSnapshot } from '#pwa/sync/progress/snapshots.ts'
import { readSyncState } from '#pwa/sync/progress/status.ts'
import { canOpenStore } from '#pwa/sync/session/device-store.ts'
import { createTraceWiper } from '#pwa/sync/session/leave.ts'
import {
  createSession,
  createStorelessSession,
  type SessionParts,
  type SyncSession,
} from '#pwa/sync/session/session.ts'
import { SessionUser } from '#shared/contract/auth.ts'

/** Keys of local storage that say something about the device, not about a person. */
const deviceKeys = ['theme', 'install-later', privacyChoiceKey, owedLogoutKey, formsKeptKey]

/** Longer than this without an answer counts as no signal. */
const patienceMs = 30_000

/** Who is logged in on this device, and the API as he may call it: nothing goes out before a logout still owed. */
export type OwnSession = {
  sync: SyncSession
  api: ReturnType<typeof createOwnApi>
  /** Logouts on this page so far. */
  departures: number
  departure: Departure
  /** The browser keeps nothing for this site: there is no engine, and the members' area has nowhere to be. */
  isStoreless: boolean
}

const createOwnApi = (sync: SyncSession) =>
  treaty<App>(globalThis.location.origin, {
    parseDate: false,
    fetch: { credentials: 'same-origin', redirect: 'error' },
    fetcher: Object.assign((path: string | URL | Request, init: RequestInit = {}) => sync.fetch(String(path), init), {
      preconnect: () => {},
    }),
    onRequest: (_path, { signal }) => ({ signal: signal ?? AbortSignal.timeout(patienceMs) }),
  })

/** A logout on this page, until what it forgets is gone. */
type Departure = { isUnderWay: boolean }

/**
 * Ms since 1970. What was written on this device after a logout that is still owed belongs to whoever came after. Otherwise
 * there is nobody after, and the device's clock, which may have been put back since, is not asked.
 */
function forgottenUpTo({ isUnderWay }: Departure): number {
  const leftAt = Number(deviceStorage.getItem(owedLogoutKey))
  return isUnderWay || leftAt === 0 ? Number.POSITIVE_INFINITY : leftAt
}

async function forgetPerson(queryClient: QueryClient, until: number) {
  forgetAnswers(queryClient)
  if (!areFormsKept()) return
  const queue = (await import('#pwa/features/forms/form-queue-store.ts')).openFormQueue(queryClient)
  // Somebody else has logged in over a session that had ended: nobody is there to be told.
  if (deviceStorage.getItem(owedLogoutKey) === null) await queue.tryNow()
  await queue.deleteUntil(until)
}

function createWiper(queryClient: QueryClient, departure: Departure) {
  const wipeTraces = createTraceWiper({
    isKeyRetained: (key) => deviceKeys.includes(key) || isDraftSince(key, forgottenUpTo(departure)),
    clearMemory: () => forgetPerson(queryClient, forgottenUpTo(departure)),
  })
  return async () => {
    await wipeTraces()
    departure.isUnderWay = false
  }
}

/** A browser that keeps nothing for this site can still buy. */
async function openSync(parts: SessionParts): Promise<Pick<OwnSession, 'sync' | 'isStoreless'>> {
  const isStoreless = !deviceStorage.isOpen() && !(await canOpenStore(parts.platform.database))
  const sync = isStoreless ? createStorelessSession(parts.platform) : createSession(parts)
  await sync.start()
  return { sync, isStoreless }
}

async function open(queryClient: QueryClient): Promise<OwnSession> {
  const departure: Departure = { isUnderWay: false }
  const { sync, isStoreless } = await openSync({
    platform: createBrowserPlatform(),
    wipeTraces: createWiper(queryClient, departure),
  })
  if (deviceStorage.getItem(owedLogoutKey) !== null && !(await sync.hasPendingLogout()))
    deviceStorage.removeItem(owedLogoutKey)
  const session = { sync, api: createOwnApi(sync), departures: 0, departure, isStoreless }
  ready.set(queryClient, session)
  return session
}

const opened = new WeakMap<QueryClient, Promise<OwnSession>>()
const ready = new WeakMap<QueryClient, OwnSession>()

/** The one session of this page's life; opened at the first call. */
export function ownSession(queryClient: QueryClient): Promise<OwnSession> {
  const session = opened.get(queryClient) ?? open(queryClient)
  opened.set(queryClient, session)
  return session
}

/** Null until the device has said who was here last. Does not suspend: React would hold back what follows for a while. */
export function useOwnSession(): OwnSession | null {
  const queryClient = useQueryClient()
  const [session, setSession] = useState(() => ready.get(queryClient) ?? null)
  useEffect(() => {
    const failed = (error: unknown) =>
      setSession(() => {
        throw error
      })
    if (session === null) ownSession(queryClient).then(setSession, failed)
  }, [queryClient, session])
  return session
}

/** The engine of whoever is logged in here, which another tab may end at any time. */
export const useOwnEngine = ({ sync }: OwnSession): Engine | null => useSyncExternalStore(sync.onChange, sync.engine)

/**
 * Takes in who the server says is logged in; whoever was here before is sealed and wiped first. What had stopped for
 * want of a login or of access is tried again.
 */
async function enterAs({ sync }: OwnSession, user: SessionUser): Promise<void> {
  const engine = await sync.enter(user.id, { isReadOnly: user.isImpersonating })
  await saveSnapshot(engine.store, 'user', { value: user, savedAt: Date.now() })
  const { paused } = await readSyncState(engine.store)
  const mayTick = user.isMember || user.isAdmin
  if (mayTick && paused !== null) engine.syncNow().catch(reportError)
}

/** After a login: takes him in, and asks the browser not to clear by itself what is kept of him. */
export async function arrive(session: OwnSession, user: SessionUser): Promise<void> {
  if (session.isStoreless) return
  await enterAs(session, user)
  requestPersistentStorage().catch(reportError)
}

/** Asks the server who is logged in, and takes him in; an answer that a logout has overtaken counts for nothing. */
export async function renewOwnUser(session: OwnSession): Promise<void> {
  const { sync, api, departures } = session
  const before = sync.engine()
  const user = await ask(SessionUser, api.api.auth.user.get())
  const hasLeft = session.departures !== departures || (before !== null && sync.engine() !== before)
  if (session.isStoreless) throw storageClosed()
  if (!hasLeft) await enterAs(session, user)
}

function storageClosed() {
  const text = 'This browser keeps nothing for this site. Allow it to store data for this address, then try again.'
  return new RequestError({ status: 0, code: 'storage_closed', message: `0: ${text}`, text })
}

/** Logs out, with or without signal. `pending`: the server is told before anything else is sent. */
export async function leave(session: OwnSession): Promise<'done' | 'pending'> {
  session.departures += 1
  session.departure.isUnderWay = true
  deviceStorage.setItem(owedLogoutKey, String(Date.now()))
  const outcome = await session.sync.logout()
  if (outcome === 'done') deviceStorage.removeItem(owedLogoutKey)
  return outcome
}
