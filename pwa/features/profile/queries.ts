import { queryOptions } from '@tanstack/react-query'
import { type AuthSession, refreshUser } from '#pwa/features/auth/session-store.ts'
import { parseResponse } from '#pwa/lib/api.ts'
import { RequestError } from '#pwa/lib/request-error.ts'
import { readSnapshot, saveSnapshot } from '#pwa/sync/progress/snapshots.ts'
import { Profile, type ProfileRequest, toIfMatch } from '#shared/contract/profile.ts'
import { OwnSessionList } from '#shared/contract/sessions.ts'

export type Account = { session: AuthSession; memberId: string }

const snapshotName = 'profile'

/** From the server, else as this device has it: a form needs the version that it was filled from, also without signal. */
export const profileQuery = ({ session, memberId }: Account) =>
  queryOptions({
    queryKey: ['profile', memberId],
    queryFn: async () => {
      try {
        const profile = await parseResponse(Profile, session.api.api.user.profile.get())
        await storeProfile(session, profile)
        return profile
      } catch (error) {
        const engine = session.sync.engine()
        const stored = engine && isOffline(error) && (await readSnapshot(engine.store, snapshotName, Profile))
        if (stored) return stored
        throw error
      }
    },
    staleTime: 0,
    refetchOnReconnect: true,
  })

export const isOffline = (error: unknown) => error instanceof RequestError && error.code === 'offline'

async function storeProfile({ sync }: AuthSession, profile: Profile): Promise<void> {
  const engine = sync.engine()
  if (engine) await saveSnapshot(engine.store, snapshotName, { value: profile, savedAt: Date.now() })
}

/** Sends what has changed, with the version that it was changed from. */
export async function saveProfile(session: AuthSession, changed: ProfileRequest, version: number): Promise<Profile> {
  const headers = { 'if-match': toIfMatch(version) }
  const profile = await parseResponse(Profile, session.api.api.user.profile.patch(changed, { headers }))
  await storeProfile(session, profile)
  // The header and the other tabs show the new name as soon as the server has said it again.
  refreshUser(session, { isForced: true }).catch(() => {})
  return profile
}

/** What the server holds of the account; cached in this page's memory alone. */
export const sessionsQuery = ({ session, memberId }: Account) =>
  queryOptions({
    queryKey: ['account', memberId, 'sessions'],
    queryFn: () => parseResponse(OwnSessionList, session.api.api.user.sessions.get()),
    staleTime: 0,
    refetchOnReconnect: true,
  })
