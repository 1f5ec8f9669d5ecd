import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { adminKey, requestListPage } from '#pwa/features/admin/queries.ts'
import { api, parseResponse } from '#pwa/lib/api.ts'
import { AdminPostSummary } from '#shared/contract/admin-post.ts'
import { AdminVideoList } from '#shared/contract/admin-video.ts'
import { FoundTextList } from '#shared/contract/found-text.ts'
import { AdminInvoice } from '#shared/contract/invoices.ts'
import { AdminMember } from '#shared/contract/members.ts'
import { AdminQuotientOrder } from '#shared/contract/quotient.ts'
import { foldText } from '#shared/rules/fold-text.ts'

export type FoundMember = AdminMember

type FoundRecord = { id: string; label: string; second: string; to: string; search: Record<string, string> }

const shownMembers = 8
const shownOfEach = 3
const pauseMs = 150
const calls = api.api.admin

/** What the server finds by a name, a title or a number. */
export function useFoundRecords(q: string, { onlyMembers }: { onlyMembers: boolean }) {
  const words = usePaused(q)
  const isAsked = words.length > 1
  const shared = { placeholderData: <Data>(before: Data) => before, staleTime: 0 }
  const members = useQuery({
    ...shared,
    queryKey: [adminKey, 'find', words],
    queryFn: () =>
      requestListPage(AdminMember, calls.members.get({ query: { q: words, sort: 'name', limit: shownMembers } })),
    enabled: isAsked,
  })
  const records = useQuery({
    ...shared,
    queryKey: [adminKey, 'find-records', words],
    queryFn: () => requestRecords(words),
    enabled: isAsked && words.length > 2 && !onlyMembers,
  })
  const isCurrent = isAsked && q.length > 1
  return {
    members: isCurrent ? (members.data?.rows ?? []) : [],
    records: isCurrent && !onlyMembers ? (records.data ?? []) : [],
    hasMore: isAsked && (members.data?.total ?? 0) > shownMembers,
    error: isAsked ? members.error : null,
    isSearching: q.length > 1 && (members.isFetching || records.isFetching || words !== q),
  }
}

async function requestRecords(q: string): Promise<FoundRecord[]> {
  const query = { q, limit: shownOfEach }
  const [videos, posts, invoices, orders, texts] = await Promise.all([
    parseResponse(AdminVideoList, calls.videos.get()),
    requestListPage(AdminPostSummary, calls.blog.get({ query })),
    requestListPage(AdminInvoice, calls.invoices.get({ query })),
    requestListPage(AdminQuotientOrder, calls['quotient-orders'].get({ query })),
    parseResponse(FoundTextList, calls['content-texts'].get({ query: { q } })),
  ])
  const words = foldText(q).split(' ')
  const lessons = videos
    .filter(({ title, description }) => {
      const text = foldText(`${title} ${description}`)
      return words.every((word) => text.includes(word))
    })
    .slice(0, shownOfEach)
  return [
    ...lessons.map(({ id, title }) => ({ id, label: title, second: 'Video', to: 'videos', search: { lesson: id } })),
    ...posts.rows.map(({ id, title }) => ({ id, label: title, second: 'Post', to: 'blog', search: { post: id } })),
    ...invoices.rows.map(({ id, number, name }) => {
      return { id, label: number, second: `Invoice, ${name}`, to: 'invoices', search: { q: number } }
    }),
    ...orders.rows.map(({ id, businessName, email }) => {
      return { id, label: businessName, second: `Order, ${email}`, to: 'orders', search: { q: email } }
    }),
    ...texts.map(toRecord),
  ]
}

function toRecord({ page, entry, text }: FoundTextList[number]): FoundRecord {
  const isInParts = page === 'site' || page === 'mails'
  const search = { page, entry, ...(isInParts ? { part: entry.split('.')[0] ?? '' } : {}) }
  return { id: `${page}.${entry}`, label: text, second: `Words, ${page.replaceAll('-', ' ')}`, to: 'words', search }
}

function usePaused(value: string) {
  const [paused, setPaused] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setPaused(value), pauseMs)
    return () => clearTimeout(timer)
  }, [value])
  return paused
}
