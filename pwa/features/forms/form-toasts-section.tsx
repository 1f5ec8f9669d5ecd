import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useRef } from 'react'
import { track } from '#pwa/lib/track.ts'
import { reportUnlessClosed } from '#pwa/sync/database.ts'
import type { StoredForm, StoredForms } from '#pwa/sync/forms/store.ts'
import { useToast } from '#pwa/ui/toast.tsx'
import type { ToastMessage } from '#pwa/ui/toast-region.tsx'
import { formatClock } from '#shared/rules/london.ts'
import { openFormQueue } from './form-queue-store.ts'
import { formPages } from './form-texts.ts'
import { isLostForm } from './use-form-queue.ts'

/** On every page: a message about what waits as the page opens, and about what was sent or refused in the background. */
function FormToasts() {
  const queryClient = useQueryClient()
  const toast = useToast()
  const hasStarted = useRef(false)
  const announcedRefused = useRef(new Set<string>())
  const announceSent = async () => {
    if (document.visibilityState !== 'visible') return
    for (const { kind, madeAt } of await openFormQueue(queryClient).takeUnseenReceipts()) {
      toast({ title: `${formPages[kind].name} from ${formatClock(new Date(madeAt))} was sent`, tone: 'ok' })
      track({ name: 'form_submit', applicationType: kind }, formPages[kind].path)
    }
  }
  const announce = useEffectEvent(({ forms }: StoredForms) => {
    announceSent().catch(reportError)
    const queue = openFormQueue(queryClient)
    const others = forms.filter(({ id }) => !queue.isAwaited(id))
    const refused = others.find(({ id, state }) => state === 'refused' && !announcedRefused.current.has(id))
    const fromBefore = others.filter(({ id }) => !queue.isSubmittedHere(id))
    if (refused) toast(isLostForm(refused) ? lostMessage(refused) : refusedMessage(refused))
    else if (!hasStarted.current && fromBefore.length > 0) toast(waitingMessage(fromBefore))
    if (refused) announcedRefused.current.add(refused.id)
    hasStarted.current = true
    const lostIds = others.filter(isLostForm).map(({ id }) => id)
    if (lostIds.length > 0) queue.deleteWhere(({ id }) => lostIds.includes(id)).catch(reportUnlessClosed)
  })
  useEffect(() => openFormQueue(queryClient).watch((stored) => announce(stored)), [queryClient])
  return null
}

const waitingMessage = ({ length }: StoredForm[]): ToastMessage => ({
  title: length === 1 ? '1 form waiting to send' : `${length} forms waiting to send`,
})

const refusedMessage = ({ kind }: StoredForm): ToastMessage => ({
  title: `${formPages[kind].name} was not accepted`,
  description: (
    <Link className="link" to={formPages[kind].path}>
      Put it right
    </Link>
  ),
  tone: 'bad',
})

/** A login that was ended from elsewhere had left it waiting. */
const lostMessage = ({ kind }: StoredForm): ToastMessage => ({
  title: `${formPages[kind].name} was not accepted`,
  description: 'It has been deleted from this phone, where its writer is no longer logged in.',
  tone: 'bad',
})

export default FormToasts
