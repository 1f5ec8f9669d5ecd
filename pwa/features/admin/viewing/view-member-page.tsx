import { lazy } from 'react'
import { OwnerDoor } from '#pwa/features/admin/owner-door-section.tsx'

const ViewedMemberSection = lazy(() => import('./viewed-member-section.tsx'))

export const ViewMemberPage = ({ memberId }: { memberId: string }) => (
  <OwnerDoor>
    <ViewedMemberSection memberId={memberId} />
  </OwnerDoor>
)
