import { MemberGate } from '#pwa/features/members/frame/member-gate.tsx'
import { AreaSkeleton } from '#pwa/features/members/frame/members-skeleton.tsx'
import type { MembersSearch } from '#pwa/features/members/search.ts'
import { labelOf } from '#pwa/features/places/member-places.ts'
import { MemberArea } from './member-area.tsx'
import { usePaymentReturn } from './use-payment-return.ts'

/** The members' area shows this device's data straight away, and refreshes it in the background. */
export function MembersPage({ search }: { search: MembersSearch }) {
  const hasPaid = usePaymentReturn(search.errand ? {} : search)
  const tab = search.tab ?? 'dashboard'
  return (
    <MemberGate
      page={tab}
      title={labelOf(tab)}
      returnTo={tab === 'dashboard' ? '/members' : `/members?tab=${tab}`}
      skeleton={<AreaSkeleton tab={search.tab} />}
    >
      {({ memberId, ...member }) => (
        <MemberArea key={memberId} {...member} tab={tab} hasPaid={hasPaid} bankReturn={readBankReturn(search)} />
      )}
    </MemberGate>
  )
}

const readBankReturn = ({ errand, redirect_status }: MembersSearch) =>
  errand ? { errand, hasFailed: redirect_status === 'failed' } : null
