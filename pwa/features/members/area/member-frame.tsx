import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { FootLine } from '#pwa/features/chrome/foot-line.tsx'
import { BottomTabLink, BottomTabs, TabLink, Tabs } from '#pwa/ui/tabs.tsx'
import './member-frame.css'

const activeOptions = { exact: true, includeSearch: true } as const

/** A tab is in the address, so that Back goes back a tab. */
const pages = {
  dashboard: { label: 'Dashboard', icon: 'list', link: { to: '/members', search: {}, activeOptions } },
  profile: { label: 'Profile', icon: 'person', link: { to: '/members', search: { tab: 'profile' }, activeOptions } },
  billing: { label: 'Billing', icon: 'receipt', link: { to: '/members', search: { tab: 'billing' }, activeOptions } },
  calls: { label: 'Calls', icon: 'phone', link: { to: '/members/$place', params: { place: 'calls' } } },
} as const

export type MemberPage = keyof typeof pages

const names = ['dashboard', 'profile', 'billing', 'calls'] as const satisfies readonly MemberPage[]

export const labelOf = (page: MemberPage) => pages[page].label

/** What every page behind the login has below the header. `page`: marked as current on the pages below it too. */
export const MemberFrame = ({ page, children }: { page: MemberPage; children: ReactNode }) => {
  const links = names.map((name) => {
    const { label, icon, link } = pages[name]
    return { ...{ name, label, icon, link }, 'aria-current': name === page ? ('true' as const) : undefined }
  })
  return (
    <div className="memberframe">
      <Tabs label="Member pages" className="memberframe__tabs">
        {links.map(({ name, label, icon: _, link, ...rest }) => (
          <TabLink key={name} {...link} {...rest}>
            {label}
          </TabLink>
        ))}
      </Tabs>
      <main id="main" tabIndex={-1}>
        {children}
      </main>
      <FootLine>
        <Link to="/contact">Help</Link>
      </FootLine>
      <BottomTabs label="Member pages" className="memberframe__dock">
        {links.map(({ name, label, link, ...rest }) => (
          <BottomTabLink key={name} {...link} {...rest}>
            {label}
          </BottomTabLink>
        ))}
      </BottomTabs>
    </div>
  )
}
