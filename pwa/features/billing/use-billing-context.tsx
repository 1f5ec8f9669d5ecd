import { createContext, type ReactNode, useContext, useMemo } from 'react'
import type { AuthSession } from '#pwa/features/auth/session-store.ts'
import type { SessionUser } from '#shared/contract/auth.ts'
import type { BillingSubscription } from '#shared/contract/billing.ts'
import { isLive } from '#shared/rules/membership.ts'
import { fullName } from '#shared/rules/person-name.ts'

/** What every part of Billing needs, in the members' area and on the page for reactivating a membership. */
export type Billing = {
  session: AuthSession
  memberId: string
  /** Prefilled as the name on a card. */
  cardHolder: string
  billing: BillingSubscription
  hasSignal: boolean
  actions: BillingActions
  /** Called with the subscription after each action. The members' area has none: it follows the device's store. */
  onChange: ((billing: BillingSubscription) => void) | undefined
}

const BillingContext = createContext<Billing | null>(null)

export function useBillingContext(): Billing {
  const billing = useContext(BillingContext)
  if (billing === null) throw new Error('This part of Billing was rendered outside a BillingProvider.')
  return billing
}

type Props = {
  session: AuthSession
  user: SessionUser
  billing: BillingSubscription
  hasSignal: boolean
  onChange?: (billing: BillingSubscription) => void
  children: ReactNode
}

export function BillingProvider({ session, user, billing, hasSignal, onChange, children }: Props) {
  const value = useMemo<Billing>(
    () => ({
      session,
      memberId: user.id,
      cardHolder: fullName(user),
      billing,
      hasSignal,
      actions: allowedActions(billing, { isReadOnly: user.isImpersonating }),
      onChange,
    }),
    [session, user, billing, hasSignal, onChange],
  )
  return <BillingContext value={value}>{children}</BillingContext>
}

/** What the page offers in a state. The server decides again when an action is requested. */
type BillingActions = {
  pay: boolean
  changeTier: boolean
  undoTier: boolean
  cancel: boolean
  resume: boolean
  changeCard: boolean
  changeAddress: boolean
  reactivate: boolean
}

const noActions: BillingActions = {
  pay: false,
  changeTier: false,
  undoTier: false,
  cancel: false,
  resume: false,
  changeCard: false,
  changeAddress: false,
  reactivate: false,
}

/**
 * `isReadOnly`: an owner is viewing as the member. A member without access by the owners' decision can only cancel; owners are sold
 * nothing.
 */
export function allowedActions(billing: BillingSubscription, { isReadOnly }: { isReadOnly: boolean }): BillingActions {
  const { status, endsOn, isRevoked, isOwner, pause } = billing
  const isRunning = status === 'active' || status === 'trialing'
  const reactivate = !isRunning && status !== 'unrecognised' && !isRevoked && !isOwner
  if (isReadOnly) return { ...noActions, reactivate }
  const hasStarted = isLive(status) && status !== 'incomplete'
  const cancel = (isRevoked ? isLive(status) : hasStarted) && endsOn === null
  if (isRevoked) return { ...noActions, cancel }
  const isOverdue = status === 'past_due' || status === 'unpaid'
  return {
    pay: hasStarted && (isOverdue || billing.openInvoice !== null),
    changeTier: isRunning && endsOn === null && pause === undefined,
    // The owners set another price of the same tier, so the member can't undo it.
    undoTier: isRunning && billing.nextPlan !== null && billing.nextPlan.slug !== billing.plan?.slug,
    cancel,
    resume:
      hasStarted &&
      billing.waitingStart === undefined &&
      (endsOn !== null || (status === 'paused' && billing.openInvoice === null)),
    changeCard: hasStarted,
    changeAddress: true,
    reactivate,
  }
}
