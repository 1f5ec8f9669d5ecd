import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'
import { countWaitingTicks } from '#pwa/features/auth/ended-login-store.ts'
import { openSession } from '#pwa/features/auth/session-store.ts'
import { openFormQueue } from '#pwa/features/forms/form-queue-store.ts'
import { hasStoredForms } from '#pwa/lib/stored-forms-flag.ts'
import { useOnline } from '#pwa/lib/use-online.ts'
import { reportUnlessClosed } from '#pwa/sync/database.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { Dialog } from '#pwa/ui/dialog.tsx'
import type { InstallWay } from '#shared/rules/install-way.ts'
import { plural } from '#shared/rules/plural.ts'
import { InstallSteps } from './install-steps.tsx'
import { installTitle, otherStorage } from './install-texts.ts'

type Unsent = { ticks: number; forms: number }

/** Sends what waits on this device, and says what's left. */
async function sendAll(queryClient: QueryClient): Promise<Unsent> {
  const session = await openSession(queryClient)
  const engine = session.sync.engine()
  await Promise.all([
    engine?.isReadOnly ? null : engine?.syncNow(),
    hasStoredForms() ? openFormQueue(queryClient).tryNow() : null,
  ])
  const [ticks, forms] = await Promise.all([countWaitingTicks(engine), session.leftForms.count()])
  return { ticks, forms: forms.waiting }
}

/** Undefined while it's sending, which it does again once there's a network. */
function useUnsent() {
  const queryClient = useQueryClient()
  const isOnline = useOnline()
  const [unsent, setUnsent] = useState<Unsent>()
  const send = useCallback(() => {
    setUnsent(undefined)
    sendAll(queryClient).then(setUnsent, reportUnlessClosed)
  }, [queryClient])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of the network is the reason to send again
  useEffect(send, [send, isOnline])
  return { unsent, send }
}

type Props = { way: InstallWay; onClose: () => void; onDone: () => void }

/** The steps, once nothing waits here: what's on the home screen has another storage, and wouldn't know of it. */
export default function InstallDialog({ way, onClose, onDone }: Props) {
  const { unsent, send } = useUnsent()
  const note = otherStorage(way)
  const waiting = note === null || unsent === undefined ? [] : waitingOf(unsent)
  const isReady = note === null || (unsent !== undefined && waiting.length === 0)
  const done = () => {
    onDone()
    onClose()
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={installTitle(way)}
      footer={
        isReady ? (
          <Button onClick={done}>Done</Button>
        ) : (
          <Button icon="sync" isBusy={unsent === undefined} busyLabel="Sending…" onClick={send}>
            Send now
          </Button>
        )
      }
    >
      {waiting.length > 0 && (
        <Banner role="status" title={`${waiting.join(' and ')} not sent yet`}>
          {unsent !== undefined && unsent.ticks + unsent.forms === 1
            ? 'It’s only in this browser. You’ll need signal to send it first.'
            : 'They’re only in this browser. You’ll need signal to send them first.'}
        </Banner>
      )}
      {note !== null && unsent === undefined && <p role="status">First we’re sending what’s still on this phone.</p>}
      {isReady && (
        <>
          <InstallSteps way={way} />
          {note && <p>{note}</p>}
        </>
      )}
    </Dialog>
  )
}

const waitingOf = ({ ticks, forms }: Unsent): string[] => [
  ...(ticks > 0 ? [plural(ticks, 'tick')] : []),
  ...(forms > 0 ? [plural(forms, 'form')] : []),
]
