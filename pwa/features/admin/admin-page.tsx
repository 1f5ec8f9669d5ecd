import { lazy } from 'react'
import { loadFile } from '#pwa/lib/load-file.ts'
import { OwnerGate } from './gate/owner-gate.tsx'

const AdminFrame = lazy(() => loadFile(() => import('./frame/admin-frame.tsx')))
const Desk = lazy(() => loadFile(() => import('./frame/desk.tsx')))
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
