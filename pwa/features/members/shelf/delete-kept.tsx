import { type ReactNode, useState } from 'react'
import { Button } from '#pwa/ui/button.tsx'
import { Dialog } from '#pwa/ui/dialog.tsx'

type DeleteProps = { what: string; onDelete: () => Promise<unknown>; button: (ask: () => void) => ReactNode }

/** Asks first: what's deleted takes signal and time to get back. */
export function Delete({ what, onDelete, button }: DeleteProps) {
  const [isAsking, setAsking] = useState(false)
  const remove = async () => {
    setAsking(false)
    await onDelete()
  }
  return (
    <>
      {button(() => setAsking(true))}
      <Dialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title={`Delete ${what} from this phone?`}
        footer={
          <>
            <Button look="bad" onClick={() => void remove().catch(reportError)}>
              Delete
            </Button>
            <Button look="line" onClick={() => setAsking(false)}>
              Keep
            </Button>
          </>
        }
      >
        <p>You’ll need signal to get this back. Your ticks stay.</p>
      </Dialog>
    </>
  )
}
