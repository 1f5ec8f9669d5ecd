import { type AuthSession, refreshUser } from '#pwa/features/auth/session-store.ts'
import { parseResponse } from '#pwa/lib/api.ts'
import { Done } from '#shared/contract/auth.ts'
import { NoticeSettings } from '#shared/contract/notices.ts'
import { closeOpened, isSubscribedHere, isWantedHere, unsubscribeHere } from './phone-store.ts'
import { storePhone } from './queries.ts'

/**
 * At each opening: gives the server this phone's address again, since browsers change it without a word, and closes the notices
 * that were read elsewhere. A subscription that nobody here wants, such as one left by an earlier login, ends.
 */
export async function renewNotices(session: AuthSession): Promise<void> {
  // The browser is an owner's own while it shows the site as a member sees it.
  await refreshUser(session)
  if (session.known === null || session.known.user.isImpersonating) return
  const settings = await parseResponse(NoticeSettings, session.api.api.members.notices.get())
  await closeOpened(settings.opened)
  const { key, isSubscribed } = settings
  if (isSubscribed || isWantedHere()) await storePhone(session, key, { isNew: !isSubscribed })
  else if (await isSubscribedHere()) await unsubscribeHere()
}

/** So that the notice closes on the member's other phones, and its email needn't go. */
export const tellOpened = async ({ api }: AuthSession, id: string): Promise<unknown> =>
  parseResponse(Done, api.api.notices.opened.post({ id }))
