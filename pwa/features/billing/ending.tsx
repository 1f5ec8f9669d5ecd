import { useState } from 'react'
import { Button } from '#pwa/ui/button.tsx'
import { formatLongDate } from '#shared/rules/london.ts'
import { cancelWords, endWords, resumeWords } from './charge-words.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { useBillingCall, useDesk, useSayDone } from './desk.ts'

/** Ends the membership with the time that is paid for. */
export function CancelMembership() {
  const { billing } = useDesk()
  const [isOpen, setOpen] = useState(false)
  const sayDone = useSayDone()
  const call = useBillingCall(
    (api) => api.cancel.post(),
    ({ endsOn }) => {
      setOpen(false)
      const until = endsOn ? ` It ends on ${formatLongDate(endsOn)}.` : ''
      sayDone('Membership cancelled', `No further payment is taken.${until}`)
    },
  )
  return (
    <>
      <Button look="bare" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        Cancel membership
      </Button>
      <ConfirmDialog
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        title="Cancel your membership?"
        lines={cancelWords(billing)}
        confirm={{ label: 'Cancel membership', busyLabel: 'Cancelling…', look: 'bad' }}
        keep="Keep it"
        refused="Not cancelled"
        call={call}
        onConfirm={() => call.mutate()}
      />
    </>
  )
}

/** Ends a membership whose payments have stopped, so that a new one can begin. */
export function EndAndRestart() {
  const [isOpen, setOpen] = useState(false)
  const sayDone = useSayDone()
  const call = useBillingCall(
    (api) => api.end.post(),
    () => {
      setOpen(false)
      sayDone('Membership ended', 'Choose a tier to start a new one.')
    },
  )
  return (
    <>
      <Button look="line" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        End it and start new
      </Button>
      <ConfirmDialog
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        title="End it and start new?"
        lines={endWords}
        confirm={{ label: 'End this membership', busyLabel: 'Ending…', look: 'bad' }}
        keep="Keep it"
        refused="Not ended"
        call={call}
        onConfirm={() => call.mutate()}
      />
    </>
  )
}

/** Takes a cancellation back, or ends a pause. */
export function ResumeMembership() {
  const { billing } = useDesk()
  const [isOpen, setOpen] = useState(false)
  const sayDone = useSayDone()
  const call = useBillingCall(
    (api) => api.resume.post(),
    () => {
      setOpen(false)
      sayDone('Membership resumed', 'It goes on as before.')
    },
  )
  return (
    <>
      <Button icon="undo" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        Resume membership
      </Button>
      <ConfirmDialog
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        title="Resume your membership?"
        lines={resumeWords(billing)}
        confirm={{ label: 'Resume membership', busyLabel: 'Resuming…', icon: 'tick' }}
        keep="Let it end"
        refused="Not resumed"
        call={call}
        onConfirm={() => call.mutate()}
      />
    </>
  )
}
