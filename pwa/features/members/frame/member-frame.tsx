import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { FootLine } from '#pwa/features/chrome/foot-line.tsx'
import { useNotices } from '#pwa/features/notices/use-notices.ts'
import { type MemberPage, memberPages } from '#pwa/features/places/member-places.ts'
import { BottomTabLink, BottomTabs, TabLink, Tabs } from '#pwa/ui/tabs.tsx'
import './member-frame.css'

const names = ['dashboard', 'profile', 'billing', 'calls'] as const satisfies readonly MemberPage[]

/** What every page behind the login has below the header. `page`: marked as current on the pages below it too. */
export const MemberFrame = ({ page, children }: { page: MemberPage; children: ReactNode }) => {
  useNotices()
  const links = names.map((name) => {
    const { label, icon, link } = memberPages[name]
    return { name, label, icon, link, 'aria-current': name === page ? ('true' as const) : undefined }
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
