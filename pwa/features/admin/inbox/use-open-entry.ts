import { useNavigate, useRouter, useSearch } from '@tanstack/react-router'
import { useRef } from 'react'

type Search = Record<string, unknown>

/** The entry whose dialog is open. The address names it, so that Back closes it and a reload opens it again. */
export function useOpenEntry() {
  const { entry }: Search = useSearch({ strict: false })
  const navigate = useNavigate()
  const { history } = useRouter()
  const openedHere = useRef<string>(undefined)
  const goTo = (search: (list: Search) => Search, replace: boolean) =>
    navigate({ to: '.', search, replace, resetScroll: false }).catch(reportError)
  const open = (id: string) => {
    openedHere.current = id
    void goTo((list) => ({ ...list, entry: id }), false)
  }
  const close = () => {
    if (openedHere.current === entry) history.back()
    else void goTo(({ entry: _, ...list }) => list, true)
    // The history goes back later: pressed twice, it is left once.
    openedHere.current = undefined
  }
  return { openId: typeof entry === 'string' ? entry : undefined, open, close }
}
