import { Suspense } from 'react'
import { UnknownPage } from '#pwa/features/chrome/not-found-page.tsx'
import { useSiteContent } from '#pwa/lib/site-content.tsx'
import { useTitle } from '#pwa/lib/use-title.ts'
import { Skeleton } from '#pwa/ui/skeleton.tsx'
import Desk from './desk.tsx'
import { PlaceTabs } from './place-links.tsx'
import { desk, findTab, firstTab, type PlaceName } from './places.ts'

/** `tab`: as in the address. */
export default function AdminFrame({ tab }: { tab: string }) {
  const open = findTab(tab)
  const { name } = useSiteContent().brand
  useTitle(open ? `${titleOf(open)}: ${name}` : null)
  if (open === undefined)
    return (
      <Desk place="today" title="Not found" isNamed>
        <UnknownPage />
      </Desk>
    )
  const { place, Section } = open
  return (
    <Desk place={place} title={desk[place].label}>
      <PlaceTabs place={place} />
      <div className={tab === firstTab ? 'board' : 'panel'}>
        <Suspense fallback={<Skeleton size="block" />}>
          <Section />
        </Suspense>
      </div>
    </Desk>
  )
}

/** “Money (Invoices)”, the way the list of members says “Members (Active)”. */
function titleOf({ place, label }: { place: PlaceName; label: string }) {
  return desk[place].label === label ? label : `${desk[place].label} (${label})`
}
