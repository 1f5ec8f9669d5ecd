import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import * as v from 'valibot'
import type { ListDefinition } from '#pwa/features/admin/kit/list/use-list.ts'
import { adminKey, requestListPage } from '#pwa/features/admin/kit/queries.ts'
import { api, parseResponse } from '#pwa/lib/api.ts'
import { AdminAnnouncement, AdminAnnouncementQuery } from '#shared/contract/admin-announcement.ts'
import { FollowUpList } from '#shared/contract/follow-up.ts'
import {
  AudienceCount,
  AudiencePerson,
  Mailing,
  MailingQuery,
  MailingRecipient,
  MailingRecipientQuery,
} from '#shared/contract/mailing.ts'
import { audienceAddress } from './mailing-texts.ts'

const { announcements } = api.api.admin

export const announcementList: ListDefinition<AdminAnnouncement> = {
  name: 'announcements',
  request: (address, page) => {
    const read = v.safeParse(AdminAnnouncementQuery, address)
    return requestListPage(
      AdminAnnouncement,
      announcements.get({ query: { ...(read.success ? read.output : {}), ...page } }),
    )
  },
  idOf: ({ id }) => id,
  refreshMs: 60_000,
}

const { mailings } = api.api.admin
const audience = api.api.admin['mailing-audience']

export const mailingList: ListDefinition<Mailing> = {
  name: 'mailings',
  request: (address, page) => {
    const read = v.safeParse(MailingQuery, address)
    return requestListPage(Mailing, mailings.get({ query: { ...(read.success ? read.output : {}), ...page } }))
  },
  idOf: ({ id }) => id,
  refreshMs: 10_000,
}

const refreshMs: Partial<Record<Mailing['status'], number>> = { sending: 5_000, scheduled: 30_000 }

/** Refetched every few seconds while it’s being sent. */
export const mailingQuery = (id: string) =>
  queryOptions({
    queryKey: [adminKey, 'mailing', id],
    queryFn: () => parseResponse(Mailing, mailings({ id }).get()),
    staleTime: 0,
    refetchInterval: ({ state }) => refreshMs[state.data?.status ?? 'draft'] ?? false,
    refetchOnReconnect: true,
  })

export type Wanted = Parameters<typeof audienceAddress>[0]

/** How many would get it now, and why the rest of the segment wouldn’t. */
export const audienceCountQuery = (wanted: Wanted) =>
  queryOptions({
    queryKey: [adminKey, 'audience-count', wanted],
    queryFn: () => parseResponse(AudienceCount, audience.count.get({ query: audienceAddress(wanted) })),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })

export const audienceList = (wanted: Wanted): ListDefinition<AudiencePerson> => ({
  isOfPeople: true,
  name: `audience-${JSON.stringify(wanted)}`,
  request: (_address, page) =>
    requestListPage(AudiencePerson, audience.get({ query: { ...audienceAddress(wanted), ...page } })),
  idOf: ({ id }) => id,
  refreshMs: 60_000,
})

export const recipientList = (id: string): ListDefinition<MailingRecipient> => ({
  isOfPeople: true,
  name: `mailing-people-${id}`,
  request: ({ show }, page) => {
    const read = v.safeParse(MailingRecipientQuery, { show })
    return requestListPage(
      MailingRecipient,
      mailings({ id }).people.get({ query: { ...(read.success ? read.output : {}), ...page } }),
    )
  },
  idOf: ({ id: person }) => person,
  refreshMs: 10_000,
})

export const followUpsQuery = queryOptions({
  queryKey: [adminKey, 'follow-ups'],
  queryFn: () => parseResponse(FollowUpList, api.api.admin['follow-ups'].get()),
  staleTime: 0,
  refetchOnReconnect: true,
})
