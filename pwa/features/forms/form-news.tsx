import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useRef } from 'react'
import type { SiteRoute } from '#pwa/features/chrome/site-route.ts'
import { track } from '#pwa/lib/track.ts'
import type { FormKind, KeptForm, KeptForms } from '#pwa/sync/forms/store.ts'
import { type ToastMessage, useToast } from '#pwa/ui/toast.tsx'
import { formatClock } from '#shared/rules/london.ts'
import { formQueue } from './form-queue.ts'

const places: Record<FormKind, { name: string; to: SiteRoute }> = {
  contact: { name: 'Your message', to: '/contact' },
  'coaching-application': { name: 'Your coaching application', to: '/coaching-application' },
  'coaching-booking': { name: 'Your call booking', to: '/book-coaching-call' },
}

/** On whichever page is open: what waits as it starts, and what was sent or refused while nobody was looking. */
function FormNews() {
  const queryClient = useQueryClient()
  const toast = useToast()
  const hasStarted = useRef(false)
  const toldRefused = useRef(new Set<string>())
  const tellSent = async () => {
    if (document.visibilityState !== 'visible') return
    for (const { kind, madeAt } of await formQueue(queryClient).takeNews()) {
      toast({ title: `${places[kind].name} from ${formatClock(new Date(madeAt))} was sent`, tone: 'ok' })
      track({ name: 'form_submit', applicationType: kind }, places[kind].to)
    }
  }
  const tell = useEffectEvent(({ forms }: KeptForms) => {
    tellSent().catch(reportError)
    const queue = formQueue(queryClient)
    const others = forms.filter(({ id }) => !queue.isInHand(id))
    const refused = others.find(({ id, state }) => state === 'refused' && !toldRefused.current.has(id))
    const left = others.filter(({ id }) => !queue.isFromHere(id))
    if (refused) toast(refusalOf(refused))
    else if (!hasStarted.current && left.length > 0) toast(waitingOf(left))
    if (refused) toldRefused.current.add(refused.id)
    hasStarted.current = true
  })
  useEffect(() => formQueue(queryClient).watch((kept) => tell(kept)), [queryClient])
  return null
}

const waitingOf = ({ length }: KeptForm[]): ToastMessage => ({
  title: length === 1 ? '1 form waiting to send' : `${length} forms waiting to send`,
})

const refusalOf = ({ kind }: KeptForm): ToastMessage => ({
  title: `${places[kind].name} was not accepted`,
  description: (
    <Link className="link" to={places[kind].to}>
      Put it right
    </Link>
  ),
  tone: 'bad',
})

export default FormNews
