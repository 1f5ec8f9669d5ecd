import { lazy } from 'react'
import { OwnerGate } from './owner-gate.tsx'

const AdminFrame = lazy(() => import('./frame/admin-frame.tsx'))
const MemberPageSection = lazy(() => import('./members/record/member-page.tsx'))
const ViewedMemberSection = lazy(() => import('./members/viewing/viewed-member.tsx'))

export const AdminPage = ({ place }: { place: string }) => (
  <OwnerGate>
    <AdminFrame place={place} />
  </OwnerGate>
)

/** `memberId`: an id or an email address. */
export const MemberPage = ({ memberId }: { memberId: string }) => (
  <OwnerGate>
    <MemberPageSection key={memberId} memberId={memberId} />
  </OwnerGate>
)

export const ViewMemberPage = ({ memberId }: { memberId: string }) => (
  <OwnerGate>
    <ViewedMemberSection memberId={memberId} />
  </OwnerGate>
)
