import { lazy } from 'react'
import { OwnerDoor } from './owner-door-section.tsx'

const AdminFrame = lazy(() => import('./frame/admin-frame-section.tsx'))
const MemberPageSection = lazy(() => import('./member-page/member-page-section.tsx'))
const ViewedMemberSection = lazy(() => import('./viewing/viewed-member-section.tsx'))

export const AdminPage = ({ place }: { place: string }) => (
  <OwnerDoor>
    <AdminFrame place={place} />
  </OwnerDoor>
)

/** `memberId` is an id or an address. */
export const MemberPage = ({ memberId }: { memberId: string }) => (
  <OwnerDoor>
    <MemberPageSection key={memberId} memberId={memberId} />
  </OwnerDoor>
)

/** The site as the member sees it. */
export const ViewMemberPage = ({ memberId }: { memberId: string }) => (
  <OwnerDoor>
    <ViewedMemberSection memberId={memberId} />
  </OwnerDoor>
)
