import { useNavigate } from '@tanstack/react-router'
import { type ComponentType, lazy, Suspense } from 'react'
import { OfficeTools } from '#pwa/features/admin/frame/find/office-tools.tsx'
import { loadFile } from '#pwa/lib/load-file.ts'
import { ButtonLink } from '#pwa/ui/button.tsx'
import { Skeleton } from '#pwa/ui/skeleton.tsx'
import { TabLink, Tabs } from '#pwa/ui/tabs.tsx'
import '#pwa/features/admin/kit/admin.css'

/** `name`: the admin’s name for it, which the menu and shortcuts use. */
type Place = { name: string; tab: string | undefined; label: string; Section: ComponentType<{ isSimple?: boolean }> }

const places: readonly Place[] = [
  {
    name: 'coaching',
    tab: undefined,
    label: 'Coaching Applications',
    Section: lazy(() => loadFile(() => import('#pwa/features/admin/inbox/coaching.tsx'))),
  },
  {
    name: 'applications',
    tab: 'membership',
    label: 'Membership Applications',
    Section: lazy(() => loadFile(() => import('#pwa/features/admin/inbox/applications.tsx'))),
  },
  {
    name: 'contacts',
    tab: 'contacts',
    label: 'Contact Inquiries',
    Section: lazy(() => loadFile(() => import('#pwa/features/admin/inbox/contacts.tsx'))),
  },
  {
    name: 'bookings',
    tab: 'bookings',
    label: 'Bookings',
    Section: lazy(() => loadFile(() => import('#pwa/features/admin/inbox/bookings.tsx'))),
  },
  {
    name: 'blog',
    tab: 'blog',
    label: 'Blog',
    Section: lazy(() => loadFile(() => import('#pwa/features/admin/site/blog/blog.tsx'))),
  },
]

export default function DashboardFrame({ tab }: { tab: string | undefined }) {
  const open = places.find((place) => place.tab === tab) ?? places[0]
  const navigate = useNavigate()
  const goTo = (place: string, search: Record<string, string | undefined> = {}) => {
    const to = places.find(({ name }) => name === place)?.tab
    navigate({ to: '/dashboard', search: { tab: to, ...search } }).catch(reportError)
  }
  return (
    <>
      <div className="office">
        <div className="wrap">
          <div>
            <p className="label">For owners only</p>
            <h1>DASHBOARD</h1>
          </div>
          <OfficeTools places={places} goTo={goTo} />
          <ButtonLink to="/" isSmall icon="arrow">
            Back to Site
          </ButtonLink>
        </div>
      </div>
      <div className="wrap board">
        <div>
          <Tabs label="Dashboard">
            {places.map(({ tab: own, label }) => (
              <TabLink key={label} to="/dashboard" search={{ tab: own }} activeOptions={{ explicitUndefined: true }}>
                {label}
              </TabLink>
            ))}
          </Tabs>
          <section className="panel" aria-label={open?.label}>
            <Suspense fallback={<Skeleton size="block" />}>{open && <open.Section isSimple />}</Suspense>
          </section>
        </div>
      </div>
    </>
  )
}
