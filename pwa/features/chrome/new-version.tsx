import { useEffect, useState } from 'react'
import * as v from 'valibot'
import { hasUnsavedForm } from '#pwa/lib/reload.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { WhatsNew } from '#shared/contract/whats-new.ts'
import shipped from './whats-new.json'

type Props = { load: () => void; onLater: () => void }

/** What a new version changes, and the button that loads it; nothing as long as a form is half filled in, a film plays or a payment is open. */
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

/** Nothing tells that a form has gone, or a film in another site's frame. */
const lookEveryMs = 1_000

/** Whether there is nothing that the notice, or the reload that follows it, would be in the way of. */
function useIsFree(): boolean {
  const [isFree, setFree] = useState(() => !hasUnsavedForm())
  useEffect(() => {
    const look = () => setFree(!hasUnsavedForm())
    const timer = setInterval(look, lookEveryMs)
    document.addEventListener('input', look)
    // It does not bubble.
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

/** What the build that waits tells of and this one does not. */
function useChanges(): readonly string[] {
  const [changes, setChanges] = useState<readonly string[]>([])
  useEffect(() => {
    const read = async () => v.parse(WhatsNew, await (await fetch('/whats-new.json', { cache: 'no-cache' })).json())
    read().then(
      (all) => setChanges(all.filter((change) => !shipped.includes(change)).slice(0, mostChanges)),
      // No signal just now: the new version is on this device already.
      () => {},
    )
  }, [])
  return changes
}
