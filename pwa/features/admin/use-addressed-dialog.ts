import { useNavigate, useSearch } from '@tanstack/react-router'

/** A place's own dialog, open while its address has `open=1`, so that Find and a link lead into it. */
export function useAddressedDialog() {
  const { open }: Record<string, unknown> = useSearch({ strict: false })
  const navigate = useNavigate()
  const go = (isOpen: boolean) => {
    const search = <Search extends object>(present: Search): Search => ({ ...present, open: isOpen ? 1 : undefined })
    navigate({ to: '.', search, replace: true, resetScroll: false }).catch(reportError)
  }
  return { isOpen: open !== undefined, open: () => go(true), close: () => go(false) }
}
