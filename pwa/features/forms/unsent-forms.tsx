import type { QueryClient } from '@tanstack/react-query'
import { areFormsKept } from '#pwa/lib/forms-kept.ts'
import { Button } from '#pwa/ui/button.tsx'
import { Dialog } from '#pwa/ui/dialog.tsx'

/** Tries once more, then says how many forms of this device have not been sent. */
export async function countUnsentForms(queryClient: QueryClient): Promise<number> {
  if (!areFormsKept()) return 0
  const queue = (await import('./form-queue-store.ts')).openFormQueue(queryClient)
  await queue.tryNow()
  return (await queue.readAll()).forms.length
}

type Props = { count: number; onStay: () => void; onLeave: () => void }

/** Before a logout: nothing of this person may stay on the phone, and nothing of it goes unsaid. */
export const UnsentForms = ({ count, onStay, onLeave }: Props) => (
  <Dialog
    isOpen
    onClose={onStay}
    title={count === 1 ? 'A form has not been sent' : `${count} forms have not been sent`}
    footer={
      <>
        <Button look="bad" onClick={onLeave}>
          Log out and delete
        </Button>
        <Button look="line" onClick={onStay}>
          Stay logged in
        </Button>
      </>
    }
  >
    <p>
      {count === 1 ? 'It waits on this phone' : 'They wait on this phone'} for signal. Logging out takes everything of
      yours off the phone, so {count === 1 ? 'it' : 'they'} would be lost. The ticks of your videos stay, sealed.
    </p>
  </Dialog>
)
