import { keepPreviousData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { adminKey, type ListPage, ownChangesQuery } from '#pwa/features/admin/kit/queries.ts'

const filterNames = ['q', 'show', 'member', 'period', 'from', 'to'] as const

/** `pages` is how many are open. Each list takes `member`, `period`, `from` and `to` only if it has those filters. */
export type ListAddress = { [name in (typeof filterNames)[number] | 'sort' | 'pages']?: string | undefined }

export const isNarrowed = (address: ListAddress) => filterNames.some((name) => address[name] !== undefined)

export const showingAll: ListAddress = Object.fromEntries(filterNames.map((name) => [name, '']))

export type ListDefinition<Row> = {
  name: string
  request(address: ListAddress, page: { cursor: string | undefined; limit: number }): Promise<ListPage<Row>>
  idOf(row: Row): string
  /** Its rows are people: a CSV of many asks for the password. */
  isOfPeople?: true
  /** The refetch interval while it’s open, in ms. */
  refreshMs: number
}

/** On a phone each row is a card: fifty of them were up to 31,000 px. */
const pageSize = () => (window.matchMedia('(max-width: 46rem)').matches ? 15 : 50)

const textOrNothing = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)

/** Kept in the address, so that Back, a reload and a shared link show the same rows. */
export function useListAddress() {
  const { q, show, sort, member, period, from, to, pages, ...others }: Record<string, unknown> = useSearch({
    strict: false,
  })
  const navigate = useNavigate()
  const address: ListAddress = {
    q: textOrNothing(q),
    show: textOrNothing(show),
    sort: textOrNothing(sort),
    member: textOrNothing(member),
    period: textOrNothing(period),
    from: textOrNothing(from),
    to: textOrNothing(to),
    pages: textOrNothing(pages),
  }
  const change = (changed: ListAddress) => {
    const search = Object.fromEntries(
      // A changed search starts at page one.
      Object.entries({ ...others, ...address, pages: undefined, ...changed }).filter(([, value]) => value),
    )
    navigate({ to: '.', search, replace: true, resetScroll: false }).catch(reportError)
  }
  return { address, change }
}

/**
 * The pages opened so far. Edits by others show in their rows straight away. Rows that come or go wait for `showNews` or this
 * owner’s next change, so nothing moves while they read or press.
 */
export function useList<Row>(
  { name, request, idOf, refreshMs }: ListDefinition<Row>,
  { pages = '1', ...address }: ListAddress,
) {
  const queryKey = [adminKey, 'list', name, address]
  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam }) => request(address, { cursor: pageParam, limit: pageSize() }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    placeholderData: keepPreviousData,
    staleTime: 0,
    refetchInterval: refreshMs,
    refetchOnReconnect: true,
  })
  useOpenPages(query, Number(pages))
  const fresh = useMemo(() => query.data?.pages.flatMap(({ rows }) => rows), [query.data])
  const key = JSON.stringify([name, address])
  // They saved something elsewhere, such as a new post, and are coming back to the list they left.
  const isOutdated = useQueryClient().getQueryState(queryKey)?.isInvalidated === true
  const isOfAnotherList = query.isPlaceholderData
  const { rows, hasNews, showNews } = useSteadyRows({ fresh, key, idOf, isOfAnotherList, isOutdated })
  return { ...query, rows, hasNews, showNews, total: query.data?.pages[0]?.total ?? 0 }
}

type Pages = {
  data: { pages: unknown[] } | undefined
  hasNextPage: boolean
  isFetching: boolean
  isError: boolean
  fetchNextPage: () => unknown
}

/** Reloads as many pages as the address says were open, one after the other. */
function useOpenPages({ data, hasNextPage, isFetching, isError, fetchNextPage }: Pages, wanted: number) {
  const isMissing =
    hasNextPage && !isFetching && !isError && (data?.pages.length ?? wanted) < Math.min(wanted, mostPages)
  useEffect(() => {
    if (isMissing) void fetchNextPage()
  }, [isMissing, fetchNextPage])
}

/** Caps what an edited address can ask for. */
const mostPages = 40

type Steady<Row> = {
  fresh: Row[] | undefined
  key: string
  idOf: (row: Row) => string
  /** True while `fresh` holds the previous search’s rows. */
  isOfAnotherList: boolean
  /** True while `fresh` is from before this owner’s own change. */
  isOutdated: boolean
}

/** Holds rows in place during a refresh. A different list, and rows added at the end, show straight away. */
function useSteadyRows<Row>({ fresh, key, idOf, isOfAnotherList, isOutdated }: Steady<Row>) {
  const shown = useRef<{ key: string; rows: Row[] } | null>(null)
  const [asked, setAsked] = useState(0)
  const { data: ownChanges } = useQuery(ownChangesQuery)
  const version = `${asked} ${ownChanges}`
  const accepted = useRef(version)
  const showNews = useCallback(() => setAsked((count) => count + 1), [])
  if (fresh === undefined || isOfAnotherList) return { rows: fresh, hasNews: false, showNews }
  const before = shown.current
  if (isOutdated && before?.key !== key) return { rows: fresh, hasNews: false, showNews }
  const isContinued = before?.key === key && before.rows.every((row, index) => isSameRow(idOf, row, fresh[index]))
  if (before === null || before.key !== key || isContinued || accepted.current !== version) {
    accepted.current = version
    shown.current = { key, rows: fresh }
    return { rows: fresh, hasNews: false, showNews }
  }
  const byId = new Map(fresh.map((row) => [idOf(row), row]))
  const rows = before.rows.map((row) => byId.get(idOf(row)) ?? row)
  shown.current = { key, rows }
  return { rows, hasNews: true, showNews }
}

const isSameRow = <Row>(idOf: (row: Row) => string, one: Row, other: Row | undefined) =>
  other !== undefined && idOf(one) === idOf(other)

/** `rows` has only ticked rows that are still listed. */
export type Chosen<Row> = { rows: readonly Row[]; has: (id: string) => boolean; set: (ids: readonly string[]) => void }

export function useChosen<Row>(rows: readonly Row[], idOf: (row: Row) => string): Chosen<Row> {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  return {
    rows: rows.filter((row) => ids.has(idOf(row))),
    has: (id) => ids.has(id),
    set: (chosen) => setIds(new Set(chosen)),
  }
}
