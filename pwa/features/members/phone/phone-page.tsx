import { lazy, Suspense } from 'react'
import { LogoutLink } from '#pwa/features/auth/logout/logout-gate.tsx'
import { MemberGate } from '#pwa/features/members/frame/member-gate.tsx'
import type { PhonePlace } from '#pwa/features/places/account-places.ts'
import { loadFile } from '#pwa/lib/load-file.ts'
import { TextLink } from '#pwa/ui/link.tsx'
import { Skeleton } from '#pwa/ui/skeleton.tsx'
import './phone.css'

const sections = {
  storage: lazy(() => loadFile(() => import('./storage-section.tsx'))),
  sync: lazy(() => loadFile(() => import('./sync.tsx'))),
}

/** A page about this phone, from its own data, so it opens without signal. */
export default function PhonePage({ place, title }: { place: PhonePlace; title: string }) {
  const Section = sections[place]
  const skeleton = (
    <div role="status" aria-label="Loading">
      <Skeleton size="block" />
    </div>
  )
  return (
    <MemberGate
      page="profile"
      title={title}
      returnTo={`/members/${place}`}
      skeleton={<div className="wrap account">{skeleton}</div>}
    >
      {({ memberId, onLogout }) => (
        <div className="wrap account" key={memberId}>
          <nav className="account__back" aria-label="Account">
            <TextLink isTap to="/members" search={{ tab: 'profile' }}>
              Back to Profile
            </TextLink>
            <LogoutLink onLogout={onLogout} />
          </nav>
          <h1 className="account__title">{title}</h1>
          <Suspense fallback={skeleton}>
            <Section onLogout={onLogout} />
          </Suspense>
        </div>
      )}
    </MemberGate>
  )
}
