import { TextLink } from '#pwa/ui/link.tsx'
import { LoginsSection } from './logins.tsx'
import { OwnerList } from './owner-list.tsx'
import { SiteSettings } from './site-settings.tsx'
import '#pwa/features/admin/kit/list/list.css'
import './settings.css'

export default function OwnersSection() {
  return (
    <>
      <OwnerList />
      <p className="panel__note">
        <TextLink to="/members/$place" params={{ place: 'sign-in' }} isTap>
          Your password and two-step login
        </TextLink>
      </p>
      <LoginsSection />
      <SiteSettings title="Owners’ accounts" groups={['owners']} note="This applies to every owner." />
    </>
  )
}
