import type { ComponentType } from 'react'
import { useCalendarAddress } from '#pwa/features/admin/kit/calendar/queries.ts'
import { TabLink } from '#pwa/ui/tabs.tsx'
import { CallsSection } from './calls.tsx'
import { DaysSection } from './days.tsx'
import { HoursSection } from './hours.tsx'
import { MonthlySection } from './monthly.tsx'
import { MorningsSection } from './mornings.tsx'
import { RulesSection } from './rules.tsx'
import '#pwa/features/admin/kit/members/member-page.css'
import '#pwa/features/admin/kit/calendar/calendar.css'

const views: Record<string, { label: string; View: ComponentType }> = {
  calls: { label: 'Booked calls', View: CallsSection },
  monthly: { label: 'Monthly calls', View: MonthlySection },
  hours: { label: 'Weekly hours', View: HoursSection },
  days: { label: 'Days off', View: DaysSection },
  kinds: { label: 'Kinds of call', View: RulesSection },
  mail: { label: 'Email and apps', View: MorningsSection },
}
const firstView = 'calls'

const toView =
  (view: string | undefined) =>
  <Search extends object>(open: Search): Search => ({ ...open, view })

export default function CalendarSection() {
  const { view = firstView } = useCalendarAddress().address
  const { View } = (Object.hasOwn(views, view) ? views[view] : undefined) ?? { View: CallsSection }
  return (
    <>
      <nav className="calnav" aria-label="Calendar">
        {Object.entries(views).map(([name, { label }]) => (
          <TabLink
            key={name}
            to="."
            search={toView(name === firstView ? undefined : name)}
            activeOptions={{ explicitUndefined: true }}
          >
            {label}
          </TabLink>
        ))}
      </nav>
      <View />
    </>
  )
}
