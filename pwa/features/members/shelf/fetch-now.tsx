import { useShelf } from '#pwa/features/members/stored/use-shelf.ts'
import type { ShelfPause } from '#pwa/sync/progress/kept.ts'
import { Button } from '#pwa/ui/button.tsx'

const words: Partial<Record<ShelfPause, string>> = {
  ask: 'I’m on Wi-Fi, fetch now',
  wifi: 'Use mobile data now',
  room: 'Try again',
}

/** Ends the waits that the member can end. */
export function FetchNow({ pause }: { pause: ShelfPause | null }) {
  const run = useShelf()
  const text = pause && words[pause]
  if (!text) return null
  return (
    <Button isSmall icon="down" onClick={() => void run((shelf) => shelf.fetchNow()).catch(reportError)}>
      {text}
    </Button>
  )
}
