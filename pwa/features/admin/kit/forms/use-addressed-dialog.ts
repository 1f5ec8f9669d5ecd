import { useNavigate, useRouter, useSearch } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'

/** The dialog that the address names as `open`, so that Find and a link lead into it. */
export function useAddressedDialogs() {
  const { open }: Record<string, unknown> = useSearch({ strict: false })
  const navigate = useNavigate()
  const show = (name: string | 1 | undefined) => {
    const search = <Search extends object>(present: Search): Search => ({ ...present, open: name })
    navigate({ to: '.', search, replace: true, resetScroll: false }).catch(reportError)
  }
  return { opened: open, show }
}

/** A place's own dialog, open while its address has `open=1`. */
export function useAddressedDialog() {
  const { opened, show } = useAddressedDialogs()
  return { isOpen: opened !== undefined, open: () => show(1), close: () => show(undefined) }
}

/** A part of a page that the address names: its first field gets the focus. */
export function useAddressedPart(name: string) {
  const { opened, show } = useAddressedDialogs()
  const part = useRef<HTMLElement>(null)
  const isOpen = opened === name
  const router = useRouter()
  useEffect(() => {
    if (!isOpen) return
    const enter = () => part.current?.querySelector<HTMLElement>('input:not([type=hidden]), textarea')?.focus()
    enter()
    // Again once a new page has taken the focus.
    return router.subscribe('onRendered', enter)
  }, [isOpen, router])
  return { part, isOpen, close: () => show(undefined) }
}
