import { Suspense } from 'react'
import { UnknownPage } from '#pwa/features/chrome/not-found-page.tsx'
import { useSiteContent } from '#pwa/lib/site-content.tsx'
import { useTitle } from '#pwa/lib/use-title.ts'
import { Skeleton } from '#pwa/ui/skeleton.tsx'
import AdminLayout from './layout.tsx'
import { PlaceTabs } from './place-links.tsx'
import { adminPlaces, findTab, firstTab, type PlaceName } from './places.ts'

/** `tab`: as in the address. */
export default function AdminFrame({ tab }: { tab: string }) {
  const open = findTab(tab)
  const { name } = useSiteContent().brand
  useTitle(open ? `${titleOf(open)}: ${name}` : null)
  if (open === undefined)
    return (
      <AdminLayout place="today" title="Not found" isNamed>
        <UnknownPage />
      </AdminLayout>
    )
  const { place, Section } = open
  return (
    <AdminLayout place={place} title={adminPlaces[place].label}>
      <PlaceTabs place={place} />
      <div className={tab === firstTab ? 'board' : 'panel'}>
        <Suspense fallback={<Skeleton size="block" />}>
          <Section />
        </Suspense>
      </div>
    </AdminLayout>
  )
}

/** “Money (Invoices)”, the way the list of members says “Members (Active)”. */
function titleOf({ place, label }: { place: PlaceName; label: string }) {
  return adminPlaces[place].label === label ? label : `${adminPlaces[place].label} (${label})`
}
