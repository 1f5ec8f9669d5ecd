import { useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import { adminTiersQuery } from './queries.ts'

export type TierName = (slug: string) => string

/** What each tier is called now, those that are not on sale too; nothing until that is known. */
export function useTierNames(): TierName {
  const { data, isPending } = useQuery({ ...adminTiersQuery, staleTime: 60_000 })
  return useCallback(
    (slug) => data?.find((tier) => tier.slug === slug)?.name ?? (isPending ? '' : slug),
    [data, isPending],
  )
}
