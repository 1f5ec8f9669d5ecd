import { lazy, type ReactNode, Suspense, useCallback, useLayoutEffect, useState } from 'react'
import { tabKeys } from '#pwa/features/admin/frame/places.ts'
import { useOwnerLogout } from '#pwa/features/admin/gate/owner-gate.tsx'
import { releaseAll } from '#pwa/features/admin/kit/held-store.ts'
import { type AdminPlace, type OfficeDialog, useShortcuts } from '#pwa/features/admin/kit/shortcuts/use-shortcuts.ts'
import { typedAhead } from '#pwa/features/admin/kit/typed-ahead-store.ts'
import { loadFile } from '#pwa/lib/load-file.ts'
import { Button } from '#pwa/ui/button.tsx'
import { type GoTo, useGoTo } from './use-go-to.ts'
import './menu.css'

const CommandMenu = lazy(() => loadFile(() => import('./command-menu-dialog.tsx')))
const ShortcutsDialog = lazy(() => loadFile(() => import('./shortcuts-dialog.tsx')))
const ViewAsDialog = lazy(() => loadFile(() => import('#pwa/features/admin/members/viewing/view-as-dialog.tsx')))

export type Office = {
  open: (dialog: OfficeDialog) => void
  logout: () => void
  /** The button that opens Find. */
  find: ReactNode
  dialogs: ReactNode
}

type Parts = {
  places: readonly Omit<AdminPlace, 'key'>[]
  /** Overrides navigation where the places aren’t the admin’s own. */
  goTo?: GoTo
}

/** Find, the shortcuts, View as Member and Logout, which every place has. */
export function useOffice({ places, goTo: goToOwn }: Parts): Office {
  const [shown, open] = useState<OfficeDialog | null>(() => (typedAhead.text === null ? null : 'menu'))
  const goToPlace = useGoTo()
  const goTo = goToOwn ?? goToPlace
  const close = useCallback(() => open(null), [])
  const leave = useOwnerLogout()
  const logout = () => {
    // While the session still counts.
    releaseAll()
    leave()
  }
  useTypingFor(shown === 'menu', close)
  const placesWithKeys = places.map((place): AdminPlace => ({ ...place, key: tabKeys[place.name] }))
  useShortcuts({
    places: placesWithKeys,
    onGo: goTo,
    onMenu: () => open('menu'),
    onHelp: () => open('keys'),
  })
  const find = (
    <Button
      look="line"
      isSmall
      icon="find"
      aria-haspopup="dialog"
      aria-keyshortcuts="Control+K Meta+K"
      onClick={() => open('menu')}
    >
      Find
      <small className="office__keys" aria-hidden="true">
        Ctrl K
      </small>
    </Button>
  )
  const dialogs = (
    <Suspense>
      {shown === 'menu' && (
        <CommandMenu places={placesWithKeys} open={open} logout={logout} goTo={goTo} onClose={close} />
      )}
      {shown === 'keys' && <ShortcutsDialog places={placesWithKeys} onClose={close} />}
      {shown === 'view-as' && <ViewAsDialog onClose={close} />}
    </Suspense>
  )
  return { open, logout, find, dialogs }
}

/**
 * Has what's typed kept for the menu until its chunk is there. `onLeave` is for Escape. In a layout effect it comes before the menu
 * takes the text up, and no key is kept for a menu that has just closed.
 */
function useTypingFor(isAsked: boolean, onLeave: () => void): void {
  useLayoutEffect(() => {
    typedAhead.leave = onLeave
    typedAhead.text = isAsked ? (typedAhead.text ?? '') : null
    return () => {
      typedAhead.leave = null
    }
  }, [isAsked, onLeave])
}
