import { type ReactNode, useEffect, useRef } from 'react'
import type { MemberTab } from '#pwa/features/members/search.ts'
import { labelOf } from '#pwa/features/places/member-places.ts'

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
    <section className="members__panel" ref={panel} tabIndex={-1} aria-label={labelOf(tab)}>
      {children}
    </section>
  )
}
