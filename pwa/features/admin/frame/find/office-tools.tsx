import type { AdminPlace } from '#pwa/features/admin/kit/shortcuts/use-shortcuts.ts'
import { Button } from '#pwa/ui/button.tsx'
import type { GoTo } from './use-go-to.ts'
import { useOffice } from './use-office.tsx'

type Props = { places: readonly Omit<AdminPlace, 'key'>[]; goTo: GoTo }

/** In a row, for the simple dashboard. */
export function OfficeTools(props: Props) {
  const { open, logout, find, dialogs } = useOffice(props)
  return (
    <>
      {find}
      <Button look="line" isSmall icon="eye" aria-haspopup="dialog" onClick={() => open('view-as')}>
        View as Member
      </Button>
      <Button look="line" isSmall onClick={logout}>
        Logout
      </Button>
      {dialogs}
    </>
  )
}
