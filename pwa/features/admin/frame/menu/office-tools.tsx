import { useNavigate } from '@tanstack/react-router'
import { lazy, type RefObject, Suspense, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useOwnerLogout } from '#pwa/features/admin/owner-gate.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { type GoTo, useGoTo } from './use-commands.ts'
import { type AdminPlace, useShortcuts } from './use-shortcuts.ts'
import './menu.css'

const CommandMenu = lazy(() => import('./command-menu-dialog.tsx'))
const ShortcutsDialog = lazy(() => import('./shortcuts-dialog.tsx'))
const ViewAsDialog = lazy(() => import('#pwa/features/admin/members/viewing/view-as-dialog.tsx'))

/** Place → the letter pressed after `g`. */
const placeKeys: Record<string, string> = {
  ...{ today: 't', members: 'm', inactive: 'i', payments: 'p', videos: 'v', applications: 'a', blog: 'b' },
  ...{ analytics: 'n', coaching: 'c', contacts: 'e', bookings: 'k', orders: 'o', revenue: 'r', invoices: 'u' },
  ...{ statements: 'h', rates: 'f', tiers: 'x', settings: 's', audit: 'd', mail: 'l', jobs: 'j' },
}

type Props = {
  places: readonly Omit<AdminPlace, 'key'>[]
  /** Overrides navigation where the places aren’t the admin’s own. */
  goTo?: GoTo
}

export function OfficeTools({ places, goTo: goToOwn }: Props) {
  const [open, setOpen] = useState<'menu' | 'keys' | 'view-as' | null>(null)
  const goToPlace = useGoTo()
  const goTo = goToOwn ?? goToPlace
  const close = () => setOpen(null)
  const logout = useOwnerLogout()
  const typedAhead = useTypedAhead(open === 'menu', close)
  const placesWithKeys = places.map((place): AdminPlace => ({ ...place, key: placeKeys[place.name] }))
  useShortcuts({
    places: placesWithKeys,
    onGo: goTo,
    onMenu: () => setOpen('menu'),
    onHelp: () => setOpen('keys'),
  })
  const actions = useActions(goTo, setOpen, logout).filter(
    ({ place }) => !place || places.some(({ name }) => name === place),
  )
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
      <Button look="line" isSmall onClick={logout}>
        Logout
      </Button>
      <Suspense>
        {open === 'menu' && <CommandMenu places={placesWithKeys} {...{ actions, goTo, typedAhead }} onClose={close} />}
        {open === 'keys' && <ShortcutsDialog places={placesWithKeys} onClose={close} />}
        {open === 'view-as' && <ViewAsDialog onClose={close} />}
      </Suspense>
    </>
  )
}

/** `place`: where the action leads. The simple dashboard offers only actions within its own places. */
function useActions(goTo: GoTo, open: (dialog: 'view-as' | 'keys') => void, logout: () => void) {
  const navigate = useNavigate()
  return [
    { label: 'View as Member', run: () => open('view-as') },
    { label: 'New post', place: 'blog', run: () => goTo('blog', { post: 'new' }) },
    {
      label: 'Pending applications',
      place: 'applications',
      run: () => goTo('applications', { show: 'pending' }),
    },
    {
      label: 'Members with a payment due',
      place: 'members',
      run: () => goTo('members', { show: 'payment-due' }),
    },
    { label: 'Refund a member', also: 'give money back', place: 'members', run: () => goTo('members', {}) },
    { label: 'Refused emails', also: 'bounced', place: 'mail', run: () => goTo('mail', { show: 'refused' }) },
    { label: 'Change a price', place: 'tiers', run: () => goTo('tiers', {}) },
    {
      label: 'Edit a page’s content',
      also: 'words, change what a page says',
      place: 'words',
      run: () => goTo('words', {}),
    },
    {
      label: 'Email all members',
      also: 'write to, campaign, mailing',
      place: 'mailings',
      run: () => goTo('mailings', {}),
    },
    { label: 'Back to Site', run: () => void navigate({ to: '/' }).catch(reportError) },
    { label: 'Logout', run: logout },
    { label: 'Keyboard shortcuts', run: () => open('keys') },
  ]
}

/**
 * Buffers keys typed while the menu’s chunk is loading, so they fill its field and trigger no shortcuts. `onLeave` is for
 * Escape.
 */
function useTypedAhead(isAsked: boolean, onLeave: () => void): RefObject<string> {
  const typed = useRef('')
  const keep = useEffectEvent((event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, altKey } = event
    if (document.querySelector('dialog[open]') || ctrlKey || metaKey || altKey || key === 'Tab') return
    event.preventDefault()
    event.stopImmediatePropagation()
    if (key === 'Escape') onLeave()
    else if (key === 'Backspace') typed.current = typed.current.slice(0, -1)
    else if (key.length === 1) typed.current += key
  })
  useEffect(() => {
    if (!isAsked) return
    typed.current = ''
    addEventListener('keydown', keep, true)
    return () => removeEventListener('keydown', keep, true)
  }, [isAsked])
  return typed
}
