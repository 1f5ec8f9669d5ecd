import type { IconName } from '#pwa/ui/icon-paths.ts'
import { BottomTabLink, BottomTabs, TabLink, Tabs } from '#pwa/ui/tabs.tsx'
import type { MemberTab } from './search.ts'

const tabs: { tab: MemberTab; words: string; icon: IconName }[] = [
  { tab: 'dashboard', words: 'Dashboard', icon: 'list' },
  { tab: 'profile', words: 'Profile', icon: 'person' },
  { tab: 'billing', words: 'Billing', icon: 'receipt' },
]

/** The tab is in the address, so that going back goes back a tab. */
const wayTo = (tab: MemberTab) =>
  ({
    to: '/members',
    search: tab === 'dashboard' ? {} : { tab },
    activeOptions: { exact: true, includeSearch: true },
  }) as const

/** Folder tabs, above the work on a wide screen. */
export const MemberTabs = () => (
  <Tabs label="Member pages" className="members__tabs">
    {tabs.map(({ tab, words }) => (
      <TabLink key={tab} {...wayTo(tab)}>
        {words}
      </TabLink>
    ))}
  </Tabs>
)

/** The same at the thumb, on a phone. */
export const MemberDock = () => (
  <BottomTabs label="Member pages" className="members__dock">
    {tabs.map(({ tab, words, icon }) => (
      <BottomTabLink key={tab} {...wayTo(tab)} icon={icon}>
        {words}
      </BottomTabLink>
    ))}
  </BottomTabs>
)
