import { useNavigate } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useState } from 'react'
import { useSayDone } from './desk.ts'
import { nameOfMethod } from './method-words.ts'
import { type Errand, type Returned, refusedByBank } from './returned.ts'
import { isPaidUp, useSettle } from './settle.ts'

/** Back from the bank's page: what it came to, once; then the address is the tab's own again. Gives why it was refused. */
export function useReturned(returned: Returned | null) {
  const navigate = useNavigate()
  const settle = useSettle()
  const sayDone = useSayDone()
  const [failed, setFailed] = useState<Errand | null>(null)
  const tellPaid = async () => {
    const { now } = await settle(isPaidUp).catch(() => ({ now: null }))
    if (now && isPaidUp(now)) sayDone('Invoice paid', `Your payment went through. ${now.label}.`)
    else sayDone('Payment is being confirmed', 'This page follows as soon as it has arrived.')
  }
  const tellCard = async () => {
    const { method } = await settle().catch(() => ({ method: null }))
    if (method) sayDone('Card changed', `${nameOfMethod(method)} is charged from now on.`)
    else sayDone('Card saved', 'It shows here as soon as the site can be reached.')
  }
  const arrive = useEffectEvent(({ errand, hasFailed }: Returned) => {
    navigate({ to: '/members', search: { tab: 'billing' }, replace: true, resetScroll: false })
    if (hasFailed) return setFailed(errand)
    const tell = errand === 'pay' ? tellPaid : tellCard
    tell().catch(reportError)
  })
  const key = returned && `${returned.errand} ${returned.hasFailed}`
  // biome-ignore lint/correctness/useExhaustiveDependencies: an object that is new with each rendering
  useEffect(() => {
    if (returned) arrive(returned)
  }, [key])
  return failed && refusedByBank[failed]
}
