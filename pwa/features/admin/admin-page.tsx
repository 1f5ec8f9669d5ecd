import { lazy } from 'react'
import { loadFile } from '#pwa/lib/load-file.ts'
import { OwnerGate } from './gate/owner-gate.tsx'

const AdminFrame = lazy(() => loadFile(() => import('./frame/admin-frame.tsx')))
const AdminLayout = lazy(() => loadFile(() => import('./frame/layout.tsx')))
const MemberPageSection = lazy(() => loadFile(() => import('./members/record/member-page.tsx')))
const ViewedMemberSection = lazy(() => loadFile(() => import('./members/viewing/viewed-member.tsx')))

/** `tab`: as in the address. */
export const AdminPage = ({ tab }: { tab: string }) => (
  <OwnerGate>
    <AdminFrame tab={tab} />
  </OwnerGate>
)

/** `memberId`: an id or an email address. */
export const MemberPage = ({ memberId }: { memberId: string }) => (
  <OwnerGate>
    <AdminLayout place="members" title="Members" isNamed>
      <MemberPageSection key={memberId} memberId={memberId} />
    </AdminLayout>
  </OwnerGate>
)

export const ViewMemberPage = ({ memberId }: { memberId: string }) => (
  <OwnerGate>
    <AdminLayout place="members" title="Members" isNamed>
      <ViewedMemberSection memberId={memberId} />
    </AdminLayout>
  </OwnerGate>
)
