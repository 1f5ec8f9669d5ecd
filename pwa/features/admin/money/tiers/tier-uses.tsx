import { queryOptions, useQuery } from '@tanstack/react-query'
import { Fragment } from 'react'
import { ListState } from '#pwa/features/admin/kit/list/list.tsx'
import { MemberLink } from '#pwa/features/admin/kit/members/member-link.tsx'
import { adminKey } from '#pwa/features/admin/kit/queries.ts'
import { api, parseResponse } from '#pwa/lib/api.ts'
import { Skeleton } from '#pwa/ui/skeleton.tsx'
import { TierUses } from '#shared/contract/admin-tier.ts'
import type { TierSlug } from '#shared/contract/tier.ts'
import { restOf, tierConsequences, type UsesLine, usesLines } from '#shared/rules/tier-consequences.ts'

export const tierUsesQuery = (slug: TierSlug) =>
  queryOptions({
    queryKey: [adminKey, 'tiers', slug, 'uses'],
    queryFn: () => parseResponse(TierUses, api.api.admin.tiers({ tier: slug }).uses.get()),
    staleTime: 0,
    refetchOnReconnect: true,
  })

/** Who pays what, who’s about to, and who else is with it. */
export function TierUsesText({ slug }: { slug: TierSlug }) {
  const { data, ...state } = useQuery(tierUsesQuery(slug))
  return (
    <section aria-label="Who’s on it">
      <h3>Who’s on it</h3>
      <ListState {...state} />
      {data ? (
        <ul className="plain">
          {usesLines(data).map((line) => (
            <li key={line.text}>
              <PeopleLine {...line} />
            </li>
          ))}
        </ul>
      ) : (
        state.error === null && <Skeleton size="block" />
      )}
    </section>
  )
}

/** A sentence whose people lead to their record. */
export function PeopleLine({ text, people, more }: UsesLine) {
  const rest = restOf(more)
  const last = people.length + rest.length - 1
  return (
    <>
      {text}
      {people.map(({ memberId, name }, at) => (
        <Fragment key={memberId ?? name}>
          {at === 0 ? ': ' : at === last ? ' and ' : ', '}
          <MemberLink id={memberId}>{name}</MemberLink>
        </Fragment>
      ))}
      {rest.map((words) => ` and ${words}`)}.
    </>
  )
}

type ChangesProps = { changes: Parameters<typeof tierConsequences> }

/** What saving does, before it’s done. Nothing where it changes nothing. */
export function TierChanges({ changes }: ChangesProps) {
  const lines = tierConsequences(...changes)
  if (lines.length === 0) return null
  return (
    <section aria-label="What changes">
      <h3>What changes</h3>
      <ul className="plain">
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </section>
  )
}
