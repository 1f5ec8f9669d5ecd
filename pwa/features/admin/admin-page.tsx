import { lazy } from 'react'
import { OwnerGate } from './owner-gate.tsx'

const AdminFrame = lazy(() => import('./frame/admin-frame-section.tsx'))
const MemberPageSection = lazy(() => import('./member-page/member-page-section.tsx'))
const ViewedMemberSection = lazy(() => import('./viewing/viewed-member-section.tsx'))

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
