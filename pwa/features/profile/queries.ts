import { queryOptions } from '@tanstack/react-query'
import * as v from 'valibot'
import { type AuthSession, refreshUser } from '#pwa/features/auth/session-store.ts'
import { parseResponse } from '#pwa/lib/api.ts'
import { isOffline } from '#pwa/lib/request-error.ts'
import { readSnapshot, saveResponse } from '#pwa/sync/progress/snapshots.ts'
import { CancellationCopyList, MailChoiceList, NoticeCopyList, OwnActivityList } from '#shared/contract/account.ts'
import { ownPhotoPath, photoType } from '#shared/contract/photo.ts'
import { Profile, type ProfileRequest, toIfMatch } from '#shared/contract/profile.ts'
import { OwnSessionList } from '#shared/contract/sessions.ts'

export type Account = { session: AuthSession; memberId: string }

const snapshotName = 'profile'

/** From the server, else from this device. The form needs the version it was filled from, even without signal. */
export const profileQuery = ({ session, memberId }: Account) =>
  queryOptions({
    queryKey: ['profile', memberId],
    queryFn: async ({ client, queryKey }) => {
      const engine = session.sync.engine()
      const stored = engine && (await readSnapshot(engine.store, snapshotName, Profile))
      const fresh = loadProfile(session)
      if (!stored) return fresh
      // A late response shows when it arrives.
      fresh.then((profile) => client.setQueryData(queryKey, profile)).catch(() => {})
      const late = new Promise<Profile>((resolve) => setTimeout(() => resolve(stored), weakAfterMs))
      return Promise.race([fresh.catch((error) => (isOffline(error) ? stored : Promise.reject(error))), late])
    },
    staleTime: 0,
    refetchOnReconnect: true,
  })

/** If this device has a response, we don't wait longer than this for a weak signal. */
const weakAfterMs = 1_000

async function loadProfile(session: AuthSession): Promise<Profile> {
  const profile = await parseResponse(Profile, session.api.api.user.profile.get())
  await storeProfile(session, profile)
  return profile
}

async function storeProfile({ sync }: AuthSession, profile: Profile): Promise<void> {
  const engine = sync.engine()
  if (engine) await saveResponse(engine.store, snapshotName, { value: profile, savedAt: Date.now() })
}

export async function saveProfile(session: AuthSession, changed: ProfileRequest, version: number): Promise<Profile> {
  const headers = { 'if-match': toIfMatch(version) }
  const profile = await parseResponse(Profile, session.api.api.user.profile.patch(changed, { headers }))
  await storeProfile(session, profile)
  // The header and the other tabs show the new name once the server has sent it again.
  refreshUser(session, { isForced: true }).catch(() => {})
  return profile
}

const photoSnapshot = 'photo'
/** `picture` is a data URL, which a page can show without a request. */
const StoredPhoto = v.object({ address: v.string(), picture: v.string() })

export const photoQuery = ({ session, memberId }: Account, address: string | null) =>
  queryOptions({
    queryKey: ['photo', memberId, address],
    queryFn: async (): Promise<string | null> => {
      const store = session.sync.engine()?.store
      const stored = store && (await readSnapshot(store, photoSnapshot, StoredPhoto))
      if (stored?.address === address) return stored?.picture ?? null
      const picture = address === null ? null : await requestPhoto(session, address)
      const value = picture === null ? null : { address, picture }
      if (store && (value ?? stored)) await saveResponse(store, photoSnapshot, { value, savedAt: Date.now() })
      return picture
    },
    refetchOnReconnect: true,
  })

async function requestPhoto({ sync }: AuthSession, address: string): Promise<string> {
  const response = await sync.fetch(address, sending('GET')).catch(() => undefined)
  if (!response?.ok) await throwRefusal(response)
  const bytes = new Uint8Array((await response?.arrayBuffer()) ?? [])
  return `data:image/webp;base64,${btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))}`
}

/** Replaces the photo; null removes it. */
export async function savePhoto(session: AuthSession, photo: Blob | null): Promise<void> {
  const upload = { ...sending('PUT'), headers: { 'content-type': photoType }, body: await photo?.arrayBuffer() }
  const response = await session.sync.fetch(ownPhotoPath, photo ? upload : sending('DELETE')).catch(() => undefined)
  if (!response?.ok) await throwRefusal(response)
  await refreshUser(session, { isForced: true })
}

/** For requests the typed client would send as JSON, or read as text. */
const sending = (method: string) => ({ method, credentials: 'include', redirect: 'error' }) as const

async function throwRefusal(response: Response | undefined): Promise<never> {
  const value: unknown = await response?.json().catch(() => null)
  return parseResponse(v.never(), Promise.resolve({ data: null, error: response ? { value } : null, response }))
}

/** The account's data on the server; cached in this page's memory only. */
export const sessionsQuery = ({ session, memberId }: Account) =>
  queryOptions({
    queryKey: ['account', memberId, 'sessions'],
    queryFn: () => parseResponse(OwnSessionList, session.api.api.user.sessions.get()),
    staleTime: 0,
    refetchOnReconnect: true,
  })

export const activityQuery = ({ session, memberId }: Account) =>
  queryOptions({
    queryKey: ['account', memberId, 'activity'],
    queryFn: () => parseResponse(OwnActivityList, session.api.api.user.activity.get()),
    staleTime: 0,
    refetchOnReconnect: true,
  })

export const mailChoicesQuery = ({ session, memberId }: Account) =>
  queryOptions({
    queryKey: ['account', memberId, 'mail-choices'],
    queryFn: () => parseResponse(MailChoiceList, session.api.api.user['mail-choices'].get()),
    staleTime: 0,
    refetchOnReconnect: true,
  })

export const cancellationsQuery = ({ session, memberId }: Account) =>
  queryOptions({
    queryKey: ['account', memberId, 'cancellations'],
    queryFn: () => parseResponse(CancellationCopyList, session.api.api.user.cancellations.get()),
    staleTime: 0,
    refetchOnReconnect: true,
  })

export const noticesQuery = ({ session, memberId }: Account) =>
  queryOptions({
    queryKey: ['account', memberId, 'renewal-notices'],
    queryFn: () => parseResponse(NoticeCopyList, session.api.api.user['renewal-notices'].get()),
    staleTime: 0,
    refetchOnReconnect: true,
  })

/** A ZIP, which the typed client would read as text. */
export async function requestArchive({ sync }: AuthSession): Promise<{ fileName: string; file: Blob }> {
  const response = await sync.fetch('/api/user/archive', sending('POST')).catch(() => undefined)
  if (!response?.ok) await throwRefusal(response)
  const named = /filename\*=UTF-8''([\w.%-]+)/.exec(response?.headers.get('content-disposition') ?? '')
  return { fileName: decodeURIComponent(named?.[1] ?? 'everything.zip'), file: (await response?.blob()) ?? new Blob() }
}
