import { useLocation, useNavigate } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import * as v from 'valibot'

const Finder = v.object({
  words: v.string(),
  show: v.picklist(['all', 'to-do', 'done', 'new', 'kept']),
  length: v.picklist(['any', 'short', 'medium', 'long']),
  sort: v.picklist(['order', 'shortest', 'newest']),
})
export type Finder = v.InferOutput<typeof Finder>

const nothing: Finder = { words: '', show: 'all', length: 'any', sort: 'order' }

/** How many filters are set. */
export const filterCount = ({ show, length, sort }: Finder): number =>
  [show !== nothing.show, length !== nothing.length, sort !== nothing.sort].filter(Boolean).length

export const isSearching = (finder: Finder): boolean => finder.words.trim() !== '' || filterCount(finder) > 0

const HistoryState = v.object({ finder: Finder })

/** Undefined while it's closed. It's in the history, so that Back from a video restores the results. */
export function useFinder() {
  const navigate = useNavigate()
  const stored = useLocation({ select: ({ state }) => readFinder(state) })
  const finder = useMemo(() => (stored === null ? undefined : v.parse(Finder, JSON.parse(stored))), [stored])
  const set = useCallback(
    (change: Partial<Finder> | null) => {
      const state = { finder: change === null ? undefined : { ...(finder ?? nothing), ...change } }
      navigate({ to: '.', search: true, state: (last) => ({ ...last, ...state }), replace: true, resetScroll: false })
    },
    [navigate, finder],
  )
  return { finder, set }
}

/** As text, which stays equal as long as the content is. */
function readFinder(state: unknown): string | null {
  const { success, output } = v.safeParse(HistoryState, state)
  return success ? JSON.stringify(output.finder) : null
}
