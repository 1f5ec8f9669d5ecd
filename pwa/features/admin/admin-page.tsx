import { lazy } from 'react'
import { OwnerDoor } from './owner-door-section.tsx'

const AdminFrame = lazy(() => import('./frame/admin-frame-section.tsx'))

export const AdminPage = ({ place }: { place: string }) => (
  <OwnerDoor>
    <AdminFrame place={place} />
  </OwnerDoor>
)
