import { lazy, Suspense } from 'react'
import { TextLink } from '#pwa/ui/link.tsx'
import { Skeleton } from '#pwa/ui/skeleton.tsx'
import { LoginsSection } from './logins.tsx'
import { TokensSection } from './tokens.tsx'
import '#pwa/features/admin/list/list.css'
import './settings.css'

const SiteSection = lazy(() => import('./site.tsx'))

const placeLink = (place: string, label: string) => (
  <TextLink to="/admin/$place" params={{ place }} isTap>
    {label}
  </TextLink>
)

export default function SettingsSection() {
  return (
    <>
      <div className="panel__top">
        <h2>Settings</h2>
      </div>
      <p className="panel__note settings__links">
        How the site is running: {placeLink('mail', 'Email')} {placeLink('jobs', 'Jobs')} Who did what:{' '}
        {placeLink('audit', 'Audit log')} Your login:{' '}
        <TextLink to="/members/$place" params={{ place: 'sign-in' }} isTap>
          Password and two-step login
        </TextLink>
      </p>
      <LoginsSection />
      <TokensSection />
      <Suspense fallback={<Skeleton size="block" />}>
        <SiteSection />
      </Suspense>
    </>
  )
}
