import * as v from 'valibot'
import type { ListDefinition } from '#pwa/features/admin/list/use-list.ts'
import { requestListPage } from '#pwa/features/admin/queries.ts'
import { api } from '#pwa/lib/api.ts'
import { AdminAnnouncement, AdminAnnouncementQuery } from '#shared/contract/admin-announcement.ts'

const { announcements } = api.api.admin

export const announcementList: ListDefinition<AdminAnnouncement> = {
  name: 'announcements',
  request: (address, page) => {
    const read = v.safeParse(AdminAnnouncementQuery, address)
    const query = read.success ? read.output : {}
    return requestListPage(AdminAnnouncement, announcements.get({ query: { ...query, ...page } }))
  },
  idOf: ({ id }) => id,
  refreshMs: 60_000,
}
