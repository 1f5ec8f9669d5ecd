import { queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useListAddress } from '#pwa/features/admin/kit/list/use-list.ts'
import { adminKey } from '#pwa/features/admin/kit/queries.ts'
import { api, parseResponse } from '#pwa/lib/api.ts'
import { MemberCounts } from '#shared/contract/members.ts'

const countsQuery = queryOptions({
  queryKey: [adminKey, 'member-counts'],
  queryFn: () => parseResponse(MemberCounts, api.api.admin.members.counts.get()),
  refetchInterval: 5 * 60_000,
})

/** What the address says → what the chip says. `all` isn’t a filter. */
const chips = [
  ['with-access', 'With access'],
  ['all', 'All'],
  ['paying', 'Paying'],
  ['payment-due', 'Payment due'],
  ['set-up', 'Set up'],
  ['complimentary', 'Free access'],
  ['ending', 'Ending'],
  ['revoked', 'Revoked'],
  ['ended', 'Ended'],
  ['never-joined', 'Never joined'],
  ['owners', 'Owners'],
] as const

/** Each state, with its count. The first is the default. */
export function MemberChips() {
  const { address, change } = useListAddress()
  const { data: counts } = useQuery(countsQuery)
  const open = address.show ?? (address.q === undefined ? 'with-access' : 'all')
  const pressed = useRef<HTMLButtonElement>(null)
  // On a phone the last ones are off the screen.
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever another one is open
  useEffect(() => {
    pressed.current?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [open])
  return (
    <fieldset className="chips" aria-describedby="chips-note">
      <legend className="vh">Show members</legend>
      {chips.map(([name, label]) => (
        <button
          key={name}
          type="button"
          className="chip"
          ref={open === name ? pressed : null}
          aria-pressed={open === name}
          onClick={() => change({ show: name === 'with-access' && address.q === undefined ? '' : name })}
        >
          {label} {counts && <span className="num">{counts[name] ?? 0}</span>}
        </button>
      ))}
      <p id="chips-note" className="second">
        Someone can be in more than one, so these don’t add up to All.
      </p>
    </fieldset>
  )
}
