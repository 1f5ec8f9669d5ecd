import { type ReactNode, useEffect, useRef } from 'react'
import type { MemberTab } from '#pwa/features/members/search.ts'
import type { IconName } from '#pwa/ui/icon-paths.ts'
import { BottomTabLink, BottomTabs, TabLink, Tabs } from '#pwa/ui/tabs.tsx'

const tabs: { tab: MemberTab; label: string; icon: IconName }[] = [
  { tab: 'dashboard', label: 'Dashboard', icon: 'list' },
  { tab: 'profile', label: 'Profile', icon: 'person' },
  { tab: 'billing', label: 'Billing', icon: 'receipt' },
]

/** The tab is in the address, so that Back goes back a tab. */
const linkTo = (tab: MemberTab) =>
  ({
    to: '/members',
    search: tab === 'dashboard' ? {} : { tab },
    activeOptions: { exact: true, includeSearch: true },
  }) as const

export const MemberTabs = () => (
  <Tabs label="Member pages" className="members__tabs">
    {tabs.map(({ tab, label }) => (
      <TabLink key={tab} {...linkTo(tab)}>
        {label}
      </TabLink>
    ))}
  </Tabs>
)

export const MemberBottomTabs = () => (
  <BottomTabs label="Member pages" className="members__dock">
    {tabs.map(({ tab, label, icon }) => (
      <BottomTabLink key={tab} {...linkTo(tab)} icon={icon}>
        {label}
      </BottomTabLink>
    ))}
  </BottomTabs>
)

export function MemberTabPanel({ tab, children }: { tab: MemberTab; children: ReactNode }) {
  const panel = useRef<HTMLElement>(null)
  const shown = useRef(tab)
  useEffect(() => {
    if (shown.current === tab || !panel.current) return
    shown.current = tab
    panel.current.focus({ preventScroll: true })
    const { top } = panel.current.getBoundingClientRect()
    if (top < 0 || top > window.innerHeight / 2) panel.current.scrollIntoView({ block: 'start' })
  }, [tab])
  return (
    <section
      className="members__panel"
      ref={panel}
      tabIndex={-1}
      aria-label={tabs.find((one) => one.tab === tab)?.label}
    >
      {children}
    </section>
  )
}
