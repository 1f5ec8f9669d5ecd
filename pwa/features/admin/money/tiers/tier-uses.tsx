import { queryOptions, useQuery } from '@tanstack/react-query'
import { ListState } from '#pwa/features/admin/kit/list/list.tsx'
import { adminKey } from '#pwa/features/admin/kit/queries.ts'
import { api, parseResponse } from '#pwa/lib/api.ts'
import { Skeleton } from '#pwa/ui/skeleton.tsx'
import { TierUses } from '#shared/contract/admin-tier.ts'
import type { TierSlug } from '#shared/contract/tier.ts'
import { pagesText, usesLines } from './tier-texts.ts'

export const tierUsesQuery = (slug: TierSlug) =>
  queryOptions({
    queryKey: [adminKey, 'tiers', slug, 'uses'],
    queryFn: () => parseResponse(TierUses, api.api.admin.tiers({ tier: slug }).uses.get()),
    staleTime: 0,
    refetchOnReconnect: true,
  })

/** Who pays what, and where it’s shown. */
export function TierUsesText({ slug }: { slug: TierSlug }) {
  const { data, ...state } = useQuery(tierUsesQuery(slug))
  return (
    <section aria-label="Who’s with it">
      <h3>Who’s with it</h3>
      <ListState {...state} />
      {data ? (
        <>
          <ul className="plain">
            {usesLines(data).map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
          <p className="second">{pagesText(data)}</p>
        </>
      ) : (
        state.error === null && <Skeleton size="block" />
      )}
    </section>
  )
}
