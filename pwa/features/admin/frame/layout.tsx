import { useRouter } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'
import { hasMoved, visitAdminPage } from '#pwa/features/admin/kit/came-from-store.ts'
import { PlaceIcon } from '#pwa/features/admin/kit/place-icon.tsx'
import { FootLine } from '#pwa/features/chrome/foot-line.tsx'
import { deviceStorage, ownersDeviceKey } from '#pwa/lib/storage.ts'
import { BottomTabs } from '#pwa/ui/tabs.tsx'
import { useMedia } from '#pwa/ui/use-media.ts'
import { useOffice } from './find/use-office.tsx'
import { MoreDialog } from './more-dialog.tsx'
import { PlaceLink } from './place-links.tsx'
import { allTabs, type PlaceName } from './places.ts'
import { Rail } from './rail.tsx'
import '#pwa/features/admin/kit/admin.css'

const foldedKey = 'admin-rail'

type Props = { place: PlaceName; title: string; children: ReactNode; isNamed?: boolean }

/**
 * The owners' frame: a rail from 1024 px, on smaller screens a bar at the bottom. `title` is the place's. A page that `isNamed` has
 * a heading of its own.
 */
export default function AdminLayout({ place, title, isNamed, children }: Props) {
  const [chosen, setChosen] = useState(() => deviceStorage.getItem(foldedKey))
  const isNarrow = useMedia('(max-width: 79.99rem)')
  const isFolded = chosen === null ? isNarrow : chosen === 'folded'
  const [hasMore, setMore] = useState(false)
  const office = useOffice({ places: allTabs })
  const router = useRouter()
  useEffect(() => {
    const visit = () => visitAdminPage(router.state.location)
    visit()
    // A record's frame comes after its script, when the page has moved the focus already and this main wasn’t there.
    if (hasMoved() && document.activeElement === document.body)
      document.getElementById('main')?.focus({ preventScroll: true })
    // Not by a hook: drawing the frame again while it's being left has it ask who's here, and lead them away.
    return router.subscribe('onResolved', visit)
  }, [router])
  useEffect(() => deviceStorage.setItem(ownersDeviceKey, 'yes'), [])
  const fold = () => {
    const wanted = isFolded ? 'open' : 'folded'
    deviceStorage.setItem(foldedKey, wanted)
    setChosen(wanted)
  }
  return (
    <div className={isFolded ? 'adminframe adminframe--folded' : 'adminframe'}>
      <Rail place={place} office={office} isFolded={isFolded} onFold={fold} />
      <div className="adminframe__body">
        <main id="main" tabIndex={-1} aria-label={title}>
          <div className="adminframe__head">
            {isNamed || <h1>{title}</h1>}
            {office.find}
          </div>
          {children}
        </main>
        <FootLine>
          <button type="button" aria-haspopup="dialog" onClick={() => office.open('keys')}>
            Help
          </button>
        </FootLine>
      </div>
      <BottomTabs label="Places" className="adminbar">
        {barPlaces.map((name) => (
          <PlaceLink key={name} place={name} open={place} />
        ))}
        <button
          type="button"
          aria-haspopup="dialog"
          aria-current={barPlaces.includes(place) ? undefined : 'true'}
          onClick={() => setMore(true)}
        >
          <PlaceIcon name="more" />
          <span>More</span>
        </button>
      </BottomTabs>
      {hasMore && <MoreDialog place={place} office={office} onClose={() => setMore(false)} />}
      {office.dialogs}
    </div>
  )
}

const barPlaces: readonly PlaceName[] = ['today', 'members', 'inbox', 'money']
