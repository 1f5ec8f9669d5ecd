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

/** On every page: a message about waiting forms when the page opens, and about what was sent or refused in the background. */
function FormToasts() {
  const queryClient = useQueryClient()
  const toast = useToast()
  const hasStarted = useRef(false)
  const announcedRefused = useRef(new Set<string>())
  const lost = useRef<StoredForm[]>([])
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
    const refused = others.filter(({ id, state }) => state === 'refused' && !announcedRefused.current.has(id))
    // A form's own page says itself that it waits.
    const fromBefore = others.filter(
      ({ id, kind }) => !queue.isSubmittedHere(id) && formPages[kind].path !== window.location.pathname,
    )
    const newlyLost = refused.filter(isLostForm)
    lost.current.push(...newlyLost)
    const [first] = refused
    // Only one message shows at a time. A deletion has to be reported now; the next page reports the others.
    if (newlyLost.length > 0) toast(lostMessage(lost.current))
    else if (first) toast(refusedMessage(first))
    else if (!hasStarted.current && fromBefore.length > 0) toast(waitingMessage(fromBefore))
    for (const { id } of newlyLost.length > 0 ? refused : refused.slice(0, 1)) announcedRefused.current.add(id)
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
  title: `We couldn’t accept ${formPages[kind].name.toLowerCase()}`,
  description: (
    <Link className="link" to={formPages[kind].path}>
      Fix it
    </Link>
  ),
  tone: 'bad',
})

/** Another device's logout had left them waiting. A later refusal adds to the count. */
function lostMessage([form, ...more]: StoredForm[]): ToastMessage {
  if (form && more.length === 0) {
    const description = 'Whoever wrote it has logged out, so we’ve deleted it from this phone.'
    return { title: `We couldn’t accept ${formPages[form.kind].name.toLowerCase()}`, description, tone: 'bad' }
  }
  return {
    title: `We couldn’t accept ${more.length + 1} forms`,
    description: 'Whoever wrote them has logged out, so we’ve deleted them from this phone.',
    tone: 'bad',
  }
}

export default FormToasts
