import { wordsTarget } from '#pwa/features/admin/kit/content-texts.ts'
import { callOf } from '#pwa/features/admin/kit/inbox/inbox-texts.ts'
import {
  applicationList,
  bookingList,
  coachingList,
  contactList,
  orderList,
} from '#pwa/features/admin/kit/inbox/queries.ts'
import type { ListDefinition } from '#pwa/features/admin/kit/list/use-list.ts'
import { requestListPage } from '#pwa/features/admin/kit/queries.ts'
import { api, parseResponse } from '#pwa/lib/api.ts'
import { AdminPostSummary } from '#shared/contract/admin-post.ts'
import { AdminVideoList } from '#shared/contract/admin-video.ts'
import { FoundTextList } from '#shared/contract/found-text.ts'
import { AdminInvoice } from '#shared/contract/invoices.ts'
import { MemberInvitationList } from '#shared/contract/member-invitations.ts'
import { OwnersResponse } from '#shared/contract/owners.ts'
import { foldText } from '#shared/rules/fold-text.ts'
import { nameOrEmail } from '#shared/rules/person-name.ts'

export type FoundRecord = {
  id: string
  label: string
  second: string
  to: string
  search: Record<string, string>
  hash?: string
}

const shownOfEach = 3
const calls = api.api.admin

/** What the server finds by a name, a title or a number, except members: in the order it’s shown. */
export async function requestRecords(q: string): Promise<FoundRecord[]> {
  const found = await Promise.all([videosNamed(q), posts(q), invoices(q), ...people.map((kind) => kind(q)), words(q)])
  return found.flat()
}

async function videosNamed(q: string): Promise<FoundRecord[]> {
  const videos = await parseResponse(AdminVideoList, calls.videos.get())
  return videos
    .filter(({ title, description }) => hasWords(`${title} ${description}`, q))
    .slice(0, shownOfEach)
    .map(({ id, title }) => ({ id, label: title, second: 'Video', to: 'videos', search: { lesson: id } }))
}

async function posts(q: string): Promise<FoundRecord[]> {
  const { rows } = await requestListPage(AdminPostSummary, calls.blog.get({ query: { q, limit: shownOfEach } }))
  return rows.map(({ id, title }) => ({ id, label: title, second: 'Post', to: 'blog', search: { post: id } }))
}

async function invoices(q: string): Promise<FoundRecord[]> {
  const { rows } = await requestListPage(AdminInvoice, calls.invoices.get({ query: { q, limit: shownOfEach } }))
  return rows.map(({ id, number, name }) => {
    return { id, label: number, second: `Invoice, ${name}`, to: 'invoices', search: { q: number } }
  })
}

async function words(q: string): Promise<FoundRecord[]> {
  const texts = await parseResponse(FoundTextList, calls['content-texts'].get({ query: { q } }))
  return texts.map(({ page, entry, text }) => {
    const { place: to, search } = wordsTarget({ page, entry })
    return { id: `${page}.${entry}`, label: text, second: `Words, ${page.replaceAll('-', ' ')}`, to, search }
  })
}

/** People of the Inbox, and who’s been invited: any of them may have no account yet. */
const people: readonly ((q: string) => Promise<FoundRecord[]>)[] = [
  inList('applications', applicationList, (row) => [nameOrEmail(row), 'Application']),
  inList('coaching', coachingList, ({ name }) => [name, 'Coaching request']),
  inList('contacts', contactList, ({ name }) => [name, 'Message']),
  inList('bookings', bookingList, (row) => [row.name, `Call, ${callOf(row)}`]),
  inList('orders', orderList, ({ businessName }) => [businessName, 'Order']),
  async (q) => {
    const invited = await parseResponse(MemberInvitationList, calls.invitations.get())
    return invited
      .filter(({ firstName, lastName, email }) => hasWords(`${firstName} ${lastName} ${email}`, q))
      .slice(0, shownOfEach)
      .map((one) => ({
        id: one.id,
        label: nameOrEmail(one),
        second: `Invited, ${one.email}`,
        to: 'members',
        search: {},
        hash: 'open-invitations',
      }))
  },
  async (q) => {
    const { invitations } = await parseResponse(OwnersResponse, calls.owners.get())
    return invitations
      .filter(({ email }) => hasWords(email, q))
      .map(({ id, email }) => ({ id, label: email, second: 'Invited as an owner', to: 'owners', search: {} }))
  },
]

function inList<Row extends { id: string; email: string }>(
  to: string,
  list: ListDefinition<Row>,
  textsOf: (row: Row) => readonly [label: string, what: string],
) {
  return async (q: string): Promise<FoundRecord[]> => {
    const { rows } = await list.request({ q }, { cursor: undefined, limit: shownOfEach })
    return rows.map((row) => {
      const [label, what] = textsOf(row)
      return { id: row.id, label, second: `${what}, ${row.email}`, to, search: { q: row.email } }
    })
  }
}

/** Whether each word asked for is somewhere in the text, also as a part of another. */
export const hasWords = (text: string, q: string) => {
  const folded = foldText(text)
  return foldText(q)
    .split(' ')
    .every((word) => folded.includes(word))
}
