import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { adminKey, requestListPage } from '#pwa/features/admin/kit/queries.ts'
import { api } from '#pwa/lib/api.ts'
import { AdminMember } from '#shared/contract/members.ts'
import { requestRecords } from './found-queries.ts'

export type FoundMember = AdminMember

const shownMembers = 8
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

function usePaused(value: string) {
  const [paused, setPaused] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setPaused(value), pauseMs)
    return () => clearTimeout(timer)
  }, [value])
  return paused
}
