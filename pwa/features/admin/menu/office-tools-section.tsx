import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { Button } from '#pwa/ui/button.tsx'
import { useGoTo } from './use-commands.ts'
import { type AdminPlace, useShortcuts } from './use-shortcuts.ts'
import './menu.css'

const CommandMenu = lazy(() => import('./command-menu-dialog.tsx'))
const ShortcutsDialog = lazy(() => import('./shortcuts-dialog.tsx'))
const ViewAsDialog = lazy(() => import('#pwa/features/admin/viewing/view-as-dialog.tsx'))

/** Pressed after `g`, by the place's name. */
const placeKeys: Record<string, string> = {
  ...{ today: 't', members: 'm', inactive: 'i', payments: 'p', videos: 'v', applications: 'a', blog: 'b' },
  ...{ analytics: 'n', coaching: 'c', contacts: 'e', bookings: 'k', orders: 'o', revenue: 'r', invoices: 'u' },
  ...{ statements: 'h', rates: 'f', tiers: 'x', settings: 's', audit: 'd', mail: 'l', jobs: 'j' },
}

/** The frame's buttons: finding, viewing as a member; and the keys that do the same. */
export function OfficeTools({ places }: { places: readonly Omit<AdminPlace, 'key'>[] }) {
  const [open, setOpen] = useState<'menu' | 'keys' | 'view-as' | null>(null)
  const goTo = useGoTo()
  const navigate = useNavigate()
  const close = () => setOpen(null)
  const placesWithKeys = places.map((place): AdminPlace => ({ ...place, key: placeKeys[place.name] }))
  useShortcuts({
    places: placesWithKeys,
    onGo: goTo,
    onMenu: () => setOpen('menu'),
    onHelp: () => setOpen('keys'),
  })
  const actions = [
    { label: 'View as Member', run: () => setOpen('view-as') },
    { label: 'New post', run: () => goTo('blog', { post: 'new' }) },
    { label: 'Pending applications', run: () => goTo('applications', { show: 'pending' }) },
    { label: 'Members with a payment due', run: () => goTo('members', { show: 'payment-due' }) },
    { label: 'Mail that was refused', run: () => goTo('mail', { show: 'refused' }) },
    { label: 'Back to Site', run: () => void navigate({ to: '/' }).catch(reportError) },
    { label: 'Keyboard shortcuts', run: () => setOpen('keys') },
  ]
  return (
    <>
      <Button
        look="line"
        isSmall
        icon="list"
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K"
        onClick={() => setOpen('menu')}
      >
        Find
        <small className="office__keys" aria-hidden="true">
          Ctrl K
        </small>
      </Button>
      <Button look="line" isSmall icon="eye" aria-haspopup="dialog" onClick={() => setOpen('view-as')}>
        View as Member
      </Button>
      <Suspense>
        {open === 'menu' && <CommandMenu places={placesWithKeys} actions={actions} onClose={close} />}
        {open === 'keys' && <ShortcutsDialog places={placesWithKeys} onClose={close} />}
        {open === 'view-as' && <ViewAsDialog onClose={close} />}
      </Suspense>
    </>
  )
}
