import { type ReactNode, useEffect, useRef } from 'react'
import type { MemberTab } from './search.ts'

const names: Record<MemberTab, string> = { dashboard: 'Dashboard', profile: 'Profile', billing: 'Billing' }

/** What the chosen tab holds. A change of tab brings it into view and gives it the focus. */
export function TabPanel({ tab, children }: { tab: MemberTab; children: ReactNode }) {
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
    <section className="members__panel" ref={panel} tabIndex={-1} aria-label={names[tab]}>
      {children}
    </section>
  )
}
