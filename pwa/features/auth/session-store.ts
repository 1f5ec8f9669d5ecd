import { treaty } from '@elysiajs/eden/treaty2'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState, useSyncExternalStore } from 'react'
import type { App } from '#api/app.ts'
import { isDraftSince } from '#pwa/lib/draft.ts'
import { leftFormsKey } from '#pwa/lib/left-forms.ts'
import { clearPersonalResponses, isPublicKey } from '#pwa/lib/query-client.ts'
import { RequestError } from '#pwa/lib/request-error.ts'
import { deviceStorage, pendingLogoutKey, privacyChoiceKey } from '#pwa/lib/storage.ts'
import { storedFormsKey } from '#pwa/lib/stored-forms-flag.ts'
import { storeName, unwiped, unwipedKey } from '#pwa/lib/unwiped.ts'
import { setViewingAs } from '#pwa/lib/viewing-as-flag.ts'
import { requestPersistentStorage } from '#pwa/sync/browser-platform.ts'
import { createPagePlatform } from '#pwa/sync/page-platform.ts'
import type { Platform } from '#pwa/sync/platform.ts'
import type { Engine } from '#pwa/sync/progress/engine.ts'
import { readTagged, requestIfChanged } from '#pwa/sync/progress/snapshots.ts'
import { canOpenStore } from '#pwa/sync/session/device-store.ts'
import {
  createSession,
  createStorelessSession,
  type SessionParts,
  type SyncSession,
} from '#pwa/sync/session/session.ts'
import { createTraceWiper } from '#pwa/sync/session/wipe.ts'
import { type Area, areaHeader, SessionUser, timerHeader } from '#shared/contract/auth.ts'
import { nameOrEmail } from '#shared/rules/person-name.ts'
import { type EndedLogin, endedLoginText, hideWhileAway, readEndedLogin, watchLogin } from './ended-login-store.ts'
import { createLeftFormsStore, deleteUpTo, type LeftFormsStore, type LogoutState } from './left-forms-store.ts'

/** Local storage keys that belong to the device and not to a person, so a logout keeps them. */
const deviceKeys = [
  ...['theme', 'install-later', 'site-mode', 'site-hand', 'admin-shortcuts'],
  ...[privacyChoiceKey, pendingLogoutKey, storedFormsKey, leftFormsKey, unwipedKey],
]

const timeoutMs = 30_000

/** Who's logged in on this device, and the API as they may call it. Sends nothing before a pending logout. */
export type AuthSession = {
  sync: SyncSession
  api: ReturnType<typeof createSessionApi>
  /** Logouts on this page so far. */
  logoutCount: number
  logout: LogoutState
  leftForms: LeftFormsStore
  /** The browser stores nothing for this site: there's no engine, and we can't show the members' area. */
  isStoreless: boolean
  /** The server's last response on this page about who's logged in. */
  known: { user: SessionUser; at: number } | null
  /** Where the server knows an owner to be. */
  area: Area | null
  /** Since this page was opened, and until someone logs in. */
  ended: EndedLogin | null
}

const createSessionApi = (sync: SyncSession) =>
  treaty<App>(globalThis.location.origin, {
    parseDate: false,
    fetch: { credentials: 'same-origin', redirect: 'error' },
    fetcher: Object.assign((path: string | URL | Request, init: RequestInit = {}) => sync.fetch(String(path), init), {
      preconnect: () => {},
    }),
    onRequest: (_path, { signal }) => ({ signal: signal ?? AbortSignal.timeout(timeoutMs) }),
  })

function createWiper(queryClient: QueryClient, logout: LogoutState, leftForms: LeftFormsStore, platform: Platform) {
  const wipeTraces = createTraceWiper({
    isKeyRetained: (key) => deviceKeys.includes(key) || isDraftSince(key, deleteUpTo(logout)),
    clearMemory: async () => {
      clearPersonalResponses(queryClient)
      await leftForms.deleteUntil(deleteUpTo(logout))
    },
    platform,
  })
  return async (by?: { isView: boolean }) => {
    await wipeTraces(by)
    setViewingAs(null)
    logout.isUnderWay = false
  }
}

/** In a browser that stores nothing for this site, a visitor can still buy. */
async function openSync(parts: SessionParts): Promise<Pick<AuthSession, 'sync' | 'isStoreless'>> {
  const isStoreless = !deviceStorage.isAvailable() && !(await canOpenStore({}))
  const sync = isStoreless ? createStorelessSession(parts.platform) : createSession(parts)
  await sync.start()
  return { sync, isStoreless }
}

async function startSession(queryClient: QueryClient): Promise<AuthSession> {
  const logout: LogoutState = { isUnderWay: false }
  const leftForms = createLeftFormsStore(queryClient)
  const platform = createPagePlatform(queryClient)
  const { sync, isStoreless } = await openSync({
    platform,
    wipeTraces: createWiper(queryClient, logout, leftForms, platform),
    onLeftElsewhere: () => forgetPerson(queryClient),
  })
  if (deviceStorage.getItem(pendingLogoutKey) !== null && !(await sync.hasPendingLogout()))
    deviceStorage.removeItem(pendingLogoutKey)
  const facts = { logoutCount: 0, logout, leftForms, isStoreless, known: null, area: null, ended: null }
  const session = { sync, api: createSessionApi(sync), ...facts }
  openSessions.set(queryClient, session)
  hideWhileAway(sync)
  watchLogin(sync, ({ isTimer }) => {
    refreshUser(session, { isForced: true, isTimer }).catch(() => session.ended && forgetPerson(queryClient))
  })
  return session
}

function forgetPerson(queryClient: QueryClient): void {
  const session = openSessions.get(queryClient)
  if (session) session.known = null
  queryClient.resetQueries({ predicate: ({ queryKey }) => !isPublicKey(queryKey) }).catch(reportError)
}

/** What a page says about a login that another device ended; null if none was. */
export const endedText = ({ ended }: AuthSession): string | null => ended && endedLoginText(ended)

const opening = new WeakMap<QueryClient, Promise<AuthSession>>()
const openSessions = new WeakMap<QueryClient, AuthSession>()

export function openSession(queryClient: QueryClient): Promise<AuthSession> {
  const session = opening.get(queryClient) ?? startSession(queryClient)
  opening.set(queryClient, session)
  return session
}

/** Null until the device's store is open. It doesn't suspend, because React would then delay what follows. */
export function useSession(): AuthSession | null {
  const queryClient = useQueryClient()
  const [session, setSession] = useState(() => openSessions.get(queryClient) ?? null)
  useEffect(() => {
    const failed = (error: unknown) =>
      setSession(() => {
        throw error
      })
    if (session === null) openSession(queryClient).then(setSession, failed)
  }, [queryClient, session])
  return session
}

/** The sync engine of the person logged in here; null if another tab has logged out. */
export const useSessionEngine = ({ sync }: AuthSession): Engine | null =>
  useSyncExternalStore(sync.onChange, sync.engine)

/**
 * Makes the person the server named this device's. First seals and wipes another person's data. Retries sending that had stopped
 * for lack of a login or access.
 */
export async function showUser(session: AuthSession, user: SessionUser, etag: string | null = null): Promise<void> {
  const { sync, leftForms } = session
  await leftForms.handOver(user.id)
  session.known = { user, at: Date.now() }
  session.ended = null
  const hasAccess = user.isMember || user.isAdmin
  await sync.enter(user.id, {
    isReadOnly: user.isImpersonating,
    viewer: user.impersonatedBy,
    hasAccess,
    user: { value: user, savedAt: Date.now(), etag },
  })
  // For the bar that says so on every page.
  setViewingAs(user.impersonatedUntil ? { until: user.impersonatedUntil, name: nameOrEmail(user) } : null)
}

/** Ends viewing as a member on this device, whatever the server says. */
export async function leaveView(session: AuthSession): Promise<void> {
  session.known = null
  await session.sync.leaveView()
  setViewingAs(null)
}

/** After a login. Also asks the browser not to clear what is stored for the member. */
export async function acceptLogin(session: AuthSession, user: SessionUser): Promise<void> {
  if (session.isStoreless) return
  session.area = null
  await showUser(session, user)
  requestPersistentStorage().catch(reportError)
}

/** How long we keep the response about a member while the app stays open (CALLS-5). */
const userFreshMs = 5 * 60_000

/** Someone without access may just have paid for it, so only the response about a member is kept. */
function isStillKnown({ sync, known, area: told }: AuthSession, area: Area | null): boolean {
  if (known === null || sync.engine()?.store.memberId !== known.user.id) return false
  if (known.user.isAdmin && area !== null && area !== told) return false
  const hasAccess = known.user.isMember || known.user.isAdmin
  return hasAccess && Date.now() - known.at < userFreshMs
}

type Asking = { isForced?: boolean; isTimer?: boolean; area?: Area | null }

/**
 * Asks the server who's logged in, unless it said so in the last few minutes. `isForced` always asks, and `isTimer` doesn't count
 * as using the login. `area` is of the page that asks. Ignores a response that arrives after a logout.
 */
export async function refreshUser(
  session: AuthSession,
  { isForced, isTimer, area = null }: Asking = {},
): Promise<void> {
  if (!isForced && isStillKnown(session, area)) return
  const { sync, api, logoutCount } = session
  const before = sync.engine()
  const known = before && (await readTagged(before.store, 'user', SessionUser).catch(() => null))
  const asked = requestIfChanged(SessionUser, known, ({ headers }) =>
    api.api.auth.user.get({
      headers: { ...headers, ...(isTimer && { [timerHeader]: '1' }), ...(area && { [areaHeader]: area }) },
    }),
  )
  const { value: user, etag } = await asked.catch((error) => leaveIfEnded(session, error))
  const hasLoggedOut = session.logoutCount !== logoutCount || (before !== null && sync.engine() !== before)
  if (session.isStoreless) throw storageClosed()
  session.area = area ?? session.area
  if (!hasLoggedOut) await showUser(session, user, etag)
}

/**
 * Another device ended the login, or the account is gone. As after a logout, only sealed ticks and forms still to be sent stay
 * here.
 */
async function leaveIfEnded(session: AuthSession, error: unknown): Promise<never> {
  const { logoutCount } = session
  const engine = session.sync.engine()
  const ended = await readEndedLogin(session, error)
  // Two parts of a page may hear of it together, or two tabs: the second logout would end the next login.
  if (ended && engine !== null && session.sync.engine() === engine && session.logoutCount === logoutCount) {
    session.ended = ended
    session.leftForms.leave(engine.store.memberId)
    await logOut(session)
    if (session.ended)
      session.ended = { ...session.ended, areKept: session.sync.keepsTicks(), isWorkKept: session.sync.keepsWork() }
  }
  throw error
}

function storageClosed() {
  const text = 'Your browser’s blocking storage for this site. Allow it, then try again.'
  return new RequestError({ status: 0, code: 'storage_closed', message: `0: ${text}`, text })
}

/** Longer than all parts of a logout that end by themselves. */
const hopelessMs = 45_000

const untilHopeless = () =>
  new Promise<never>((_resolve, reject) => {
    setTimeout(() => reject(new Error('This phone’s stores don’t respond.')), hopelessMs)
  })

/**
 * Logs out, with or without signal. `pending`: we tell the server before sending anything else. Where the device's own store fails or
 * doesn't respond, the next opening goes on with it.
 */
export async function logOut(session: AuthSession): Promise<'done' | 'pending'> {
  session.logoutCount += 1
  session.known = null
  session.logout.isUnderWay = true
  deviceStorage.setItem(pendingLogoutKey, String(Date.now()))
  const memberId = session.sync.engine()?.store.memberId
  try {
    const outcome = await Promise.race([session.sync.logout(), untilHopeless()])
    if (outcome === 'done') deviceStorage.removeItem(pendingLogoutKey)
    return outcome
  } catch (error) {
    if (memberId !== undefined) unwiped.note(storeName(memberId), true)
    throw error
  }
}
