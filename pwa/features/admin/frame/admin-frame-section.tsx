import { type ComponentType, lazy, Suspense, useEffect, useRef } from 'react'
import { OfficeTools } from '#pwa/features/admin/menu/office-tools-section.tsx'
import { NotFoundPage } from '#pwa/features/chrome/error-page.tsx'
import { ButtonLink } from '#pwa/ui/button.tsx'
import { Skeleton } from '#pwa/ui/skeleton.tsx'
import { TabLink, Tabs } from '#pwa/ui/tabs.tsx'
import { RevenueCard } from './revenue-card.tsx'
import { TargetCard } from './target-card.tsx'
import './admin.css'

/** `isMore`: beside the seven tabs, in a row of its own. */
type Place = { label: string; Section: ComponentType; isMore?: boolean }

/** The tabs in their order; the first is `/admin` itself, the others `/admin/<place>`. Each is loaded when it is opened. */
const places: Record<string, Place> = {
  members: { label: 'Active', Section: lazy(() => import('#pwa/features/admin/members/members-section.tsx')) },
  inactive: { label: 'Inactive', Section: lazy(() => import('#pwa/features/admin/members/inactive-section.tsx')) },
  payments: { label: 'Payments', Section: lazy(() => import('#pwa/features/admin/payments/payments-section.tsx')) },
  videos: { label: 'Videos', Section: lazy(() => import('#pwa/features/admin/videos/videos-section.tsx')) },
  applications: {
    label: 'Applications',
    Section: lazy(() => import('#pwa/features/admin/inbox/applications-section.tsx')),
  },
  blog: { label: 'Blog', Section: lazy(() => import('#pwa/features/admin/blog/blog-section.tsx')) },
  analytics: {
    label: 'Analytics',
    Section: lazy(() => import('#pwa/features/admin/analytics/analytics-section.tsx')),
  },
  today: { label: 'Today', Section: lazy(() => import('#pwa/features/admin/today/today-section.tsx')), isMore: true },
  coaching: {
    label: 'Coaching',
    Section: lazy(() => import('#pwa/features/admin/inbox/coaching-section.tsx')),
    isMore: true,
  },
  contacts: {
    label: 'Messages',
    Section: lazy(() => import('#pwa/features/admin/inbox/contacts-section.tsx')),
    isMore: true,
  },
  bookings: {
    label: 'Bookings',
    Section: lazy(() => import('#pwa/features/admin/inbox/bookings-section.tsx')),
    isMore: true,
  },
  orders: {
    label: 'Orders',
    Section: lazy(() => import('#pwa/features/admin/inbox/orders-section.tsx')),
    isMore: true,
  },
  revenue: {
    label: 'Revenue',
    Section: lazy(() => import('#pwa/features/admin/revenue/revenue-section.tsx')),
    isMore: true,
  },
  invoices: {
    label: 'Invoices',
    Section: lazy(() => import('#pwa/features/admin/invoices/invoices-section.tsx')),
    isMore: true,
  },
  statements: {
    label: 'Statements',
    Section: lazy(() => import('#pwa/features/admin/payments/statement-section.tsx')),
    isMore: true,
  },
  rates: {
    label: 'Commission rates',
    Section: lazy(() => import('#pwa/features/admin/payments/rates-section.tsx')),
    isMore: true,
  },
  tiers: {
    label: 'Tiers',
    Section: lazy(() => import('#pwa/features/admin/tiers/tiers-section.tsx')),
    isMore: true,
  },
  settings: {
    label: 'Settings',
    Section: lazy(() => import('#pwa/features/admin/settings/settings-section.tsx')),
    isMore: true,
  },
  audit: {
    label: 'Audit log',
    Section: lazy(() => import('#pwa/features/admin/settings/audit-section.tsx')),
    isMore: true,
  },
  mail: {
    label: 'Mail',
    Section: lazy(() => import('#pwa/features/admin/system/mail-section.tsx')),
    isMore: true,
  },
  jobs: {
    label: 'Jobs',
    Section: lazy(() => import('#pwa/features/admin/system/jobs-section.tsx')),
    isMore: true,
  },
}

const firstPlace = 'members'

const menuPlaces = Object.entries(places).map(([name, { label }]) => ({ name, label }))

/** The pink office copy: target and revenue, and under them the tab that is open. */
export default function AdminFrame({ place }: { place: string }) {
  const open = Object.hasOwn(places, place) ? places[place] : undefined
  const tabs = useOpenTabInView(place)
  if (open === undefined) return <NotFoundPage />
  const { label, Section } = open
  return (
    <>
      <div className="office">
        <div className="wrap">
          <div>
            <p className="label">Office copy</p>
            <h1>ADMIN</h1>
          </div>
          <OfficeTools places={menuPlaces} />
          <ButtonLink to="/" isSmall icon="arrow">
            Back to Site
          </ButtonLink>
        </div>
      </div>
      <div className="wrap board">
        <div className={place === firstPlace ? 'board__heads' : 'board__heads board__heads--narrow'}>
          <TargetCard />
          <RevenueCard />
        </div>
        <div ref={tabs}>
          <Tabs label="More of the admin" className="board__more">
            <PlaceLinks isMore />
          </Tabs>
          <Tabs label="Admin">
            <PlaceLinks isMore={false} />
          </Tabs>
          <section className="panel" aria-label={label}>
            <Suspense fallback={<Skeleton size="block" />}>
              <Section />
            </Suspense>
          </section>
        </div>
      </div>
    </>
  )
}

/** On a phone the rows of tabs are wider than the screen: the one that is open is brought into sight. */
function useOpenTabInView(place: string) {
  const tabs = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another place is open
  useEffect(() => {
    const tab = tabs.current?.querySelector<HTMLElement>('.tabs [aria-current]')
    const row = tab?.parentElement
    if (tab && row) row.scrollLeft = tab.offsetLeft - row.offsetLeft - (row.clientWidth - tab.offsetWidth) / 2
  }, [place])
  return tabs
}

const PlaceLinks = ({ isMore }: { isMore: boolean }) =>
  Object.entries(places)
    .filter(([, place]) => (place.isMore ?? false) === isMore)
    .map(([name, { label }]) =>
      name === firstPlace ? (
        <TabLink key={name} to="/admin" activeOptions={{ exact: true, includeSearch: false }}>
          {label}
        </TabLink>
      ) : (
        <TabLink key={name} to="/admin/$place" params={{ place: name }} activeOptions={{ includeSearch: false }}>
          {label}
        </TabLink>
      ),
    )
