import { lazy } from 'react'
import { OwnerGate } from './gate/owner-gate.tsx'

const AdminFrame = lazy(() => import('./frame/admin-frame.tsx'))
const Desk = lazy(() => import('./frame/desk.tsx'))
const MemberPageSection = lazy(() => import('./members/record/member-page.tsx'))
const ViewedMemberSection = lazy(() => import('./members/viewing/viewed-member.tsx'))

/** `tab`: as in the address. */
export const AdminPage = ({ tab }: { tab: string }) => (
  <OwnerGate>
    <AdminFrame tab={tab} />
  </OwnerGate>
)

/** `memberId`: an id or an email address. */
export const MemberPage = ({ memberId }: { memberId: string }) => (
  <OwnerGate>
    <Desk place="members" title="Members" isNamed>
      <MemberPageSection key={memberId} memberId={memberId} />
    </Desk>
  </OwnerGate>
)

export const ViewMemberPage = ({ memberId }: { memberId: string }) => (
  <OwnerGate>
    <Desk place="members" title="Members" isNamed>
      <ViewedMemberSection memberId={memberId} />
    </Desk>
  </OwnerGate>
)
