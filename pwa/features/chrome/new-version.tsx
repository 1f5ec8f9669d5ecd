import { useEffect, useState } from 'react'
import * as v from 'valibot'
import { hasUnsavedForm } from '#pwa/lib/reload.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { WhatsNew } from '#shared/contract/whats-new.ts'
import shipped from './whats-new.json'

type Props = { load: () => void; onLater: () => void }

/**
 * What a new version changes, and the button to load it. Hidden while a form is half filled in, a video plays or a payment is open.
 */
export default function NewVersion({ load, onLater }: Props) {
  const isFree = useIsFree()
  const changes = useChanges()
  const [isLoading, setLoading] = useState(false)
  if (!isFree) return null
  const begin = () => {
    setLoading(true)
    load()
  }
  return (
    <Banner
      role="status"
      title="There’s an update"
      action={
        <>
          <Button isSmall isBusy={isLoading} busyLabel="Updating…" onClick={begin}>
            Update
          </Button>
          <Button look="bare" isSmall onClick={onLater}>
            Later
          </Button>
        </>
      }
    >
      {changes.length === 0 ? (
        'Bug fixes. You won’t lose anything you’ve typed.'
      ) : (
        <>
          <ul className="notices__new">
            {changes.map((change) => (
              <li key={change}>{change}</li>
            ))}
          </ul>
          <p>You won’t lose anything you’ve typed.</p>
        </>
      )}
    </Banner>
  )
}

/** There's no event for a form that's gone, or for a video in another site's iframe. */
const lookEveryMs = 1_000

/** Whether the notice, or the reload after it, would interrupt anything. */
function useIsFree(): boolean {
  const [isFree, setFree] = useState(() => !hasUnsavedForm())
  useEffect(() => {
    const look = () => setFree(!hasUnsavedForm())
    const timer = setInterval(look, lookEveryMs)
    document.addEventListener('input', look)
    // It doesn't bubble.
    document.addEventListener('play', look, true)
    return () => {
      clearInterval(timer)
      document.removeEventListener('input', look)
      document.removeEventListener('play', look, true)
    }
  }, [])
  return isFree
}

const mostChanges = 4

function useChanges(): readonly string[] {
  const [changes, setChanges] = useState<readonly string[]>([])
  useEffect(() => {
    const read = async () => v.parse(WhatsNew, await (await fetch('/whats-new.json', { cache: 'no-cache' })).json())
    read().then(
      (all) => setChanges(all.filter((change) => !shipped.includes(change)).slice(0, mostChanges)),
      // No signal right now, but the new version is on this device already.
      () => {},
    )
  }, [])
  return changes
}
