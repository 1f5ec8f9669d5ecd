import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { createContext, useContext } from 'react'
import type { AuthSession } from '#pwa/features/auth/session-store.ts'
import { ask } from '#pwa/lib/api.ts'
import { RequestError } from '#pwa/lib/request-error.ts'
import { saveSnapshot } from '#pwa/sync/progress/snapshots.ts'
import { useToast } from '#pwa/ui/toast.tsx'
import {
  BillingAddressResponse,
  BillingSubscription,
  InvoiceList,
  PaymentMethodResponse,
} from '#shared/contract/billing.ts'
import type { BillingActions } from './billing-actions.ts'
import { statusId } from './billing-panel.tsx'

/** What every part of Billing works with, in the members' area and where somebody comes back. */
export type Desk = {
  session: AuthSession
  memberId: string
  /** Filled in as the name on a card. */
  holder: string
  billing: BillingSubscription
  hasSignal: boolean
  actions: BillingActions
  /** Told how things stand after something was done; the members' area follows what the device keeps instead. */
  onNow?: (now: BillingSubscription) => void
}

export const DeskContext = createContext<Desk | null>(null)

export function useDesk(): Desk {
  const desk = useContext(DeskContext)
  if (desk === null) throw new Error('This part belongs to a desk.')
  return desk
}

type Whose = Pick<Desk, 'session' | 'memberId'>

const keyOf = ({ memberId }: Pick<Whose, 'memberId'>) => ['billing', memberId] as const

/** Asked anew whenever the tab opens and when signal returns; in this page's memory alone, and gone with the logout. */
const asked = { staleTime: 0, networkMode: 'always', refetchOnReconnect: true } as const

export const invoicesQuery = (whose: Whose) =>
  queryOptions({
    queryKey: [...keyOf(whose), 'invoices'],
    queryFn: () => ask(InvoiceList, whose.session.api.api.billing.invoices.get()),
    ...asked,
  })

export const methodQuery = (whose: Whose) =>
  queryOptions({
    queryKey: [...keyOf(whose), 'method'],
    queryFn: async () =>
      (await ask(PaymentMethodResponse, whose.session.api.api.billing['payment-method'].get())).paymentMethod,
    ...asked,
  })

export const addressQuery = (whose: Whose) =>
  queryOptions({
    queryKey: [...keyOf(whose), 'address'],
    queryFn: async () => (await ask(BillingAddressResponse, whose.session.api.api.billing.address.get())).address,
    ...asked,
  })

/** Everything that may look different after something was done. */
export const askAgain = (queryClient: QueryClient, whose: Pick<Whose, 'memberId'>): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: keyOf(whose) })

type BillingApi = AuthSession['api']['api']['billing']

/** Does something with the membership: what the server answers is what this device shows and keeps from then on. */
export function useBillingCall<Sent = void>(
  call: (billing: BillingApi, sent: Sent) => Parameters<typeof ask>[1],
  onDone: (now: BillingSubscription) => void,
) {
  const desk = useDesk()
  const queryClient = useQueryClient()
  const keep = useKeep()
  const mutation = useMutation({
    mutationFn: async (sent: Sent) => {
      const value = await ask(BillingSubscription, call(desk.session.api.api.billing, sent))
      await keep(value)
      return value
    },
    networkMode: 'always',
    onSuccess: (now) => {
      askAgain(queryClient, desk).catch(reportError)
      onDone(now)
    },
  })
  const { error, reset } = mutation
  /** Something else was done in the meantime, in another tab: once that is read, this one shows it. */
  const catchUp = async () => {
    await keep(await ask(BillingSubscription, desk.session.api.api.billing.subscription.get()))
    focusOnceClear(statusId)
  }
  const leave = () => {
    if (error instanceof RequestError && error.code === 'conflict') catchUp().catch(() => {})
    reset()
  }
  return { ...mutation, reset: leave }
}

/** Keeps how things stand now on this device, where its member's things are, and tells whoever shows it. */
export function useKeep() {
  const { session, onNow } = useDesk()
  return async (now: BillingSubscription) => {
    const engine = session.sync.engine()
    if (engine) await saveSnapshot(engine.store, 'billing', { value: now, savedAt: Date.now() })
    onNow?.(now)
  }
}

/** Says that something is done, and puts the focus on how things stand now. */
export function useSayDone() {
  const toast = useToast()
  return (title: string, description: string, focus = statusId) => {
    toast({ title, description, tone: 'ok' })
    setTimeout(() => focusOnceClear(focus))
  }
}

/** A dialog that closes gives the focus back to what opened it, so it goes first. */
function focusOnceClear(id: string) {
  if (document.querySelector('dialog[open]')) setTimeout(() => focusOnceClear(id), 16)
  else document.getElementById(id)?.focus()
}
