import { queryOptions } from '@tanstack/react-query'
import type { AuthSession } from '#pwa/features/auth/session-store.ts'
import { parseResponse } from '#pwa/lib/api.ts'
import { Done } from '#shared/contract/auth.ts'
import { type NoticeChoiceChange, NoticeSettings } from '#shared/contract/notices.ts'
import { askPermission, subscribeHere, unsubscribeHere } from './phone-store.ts'

type Holder = { session: AuthSession; memberId: string }

export const noticesQuery = ({ session, memberId }: Holder) =>
  queryOptions({
    queryKey: ['account', memberId, 'notices'],
    queryFn: () => parseResponse(NoticeSettings, session.api.api.members.notices.get()),
    staleTime: 0,
    refetchOnReconnect: true,
  })

export const changeChoice = ({ api }: AuthSession, change: NoticeChoiceChange) =>
  parseResponse(NoticeSettings, api.api.members.notices.choices.put(change))

export const sendTest = ({ api }: AuthSession) => parseResponse(Done, api.api.members.notices.test.post())

/** Thrown if the person says no. */
export class NotAllowed extends Error {}

/** Subscribes this browser, and tells the server where its notices come. Asks the person if they haven't been asked. */
export async function switchOnHere(session: AuthSession, key: string): Promise<NoticeSettings> {
  if (!(await askPermission())) throw new NotAllowed()
  return storePhone(session, key, { isNew: true })
}

type Known = Parameters<typeof subscribeHere>[1]

export const storePhone = async ({ api }: AuthSession, key: string, known: Known): Promise<NoticeSettings> =>
  parseResponse(NoticeSettings, api.api.members.notices.phone.put(await subscribeHere(key, known)))

/** The server first: it mustn't send to an address that's gone. */
export async function switchOffHere({ api }: AuthSession): Promise<NoticeSettings> {
  const settings = await parseResponse(NoticeSettings, api.api.members.notices.phone.delete())
  await unsubscribeHere()
  return settings
}
