import type { BillingSubscription } from '#shared/contract/billing.ts'
import { isLive } from '#shared/rules/membership.ts'

/** What the tab offers in a state; the server has the last word on each. */
export type BillingActions = {
  pay: boolean
  changeTier: boolean
  undoTier: boolean
  cancel: boolean
  resume: boolean
  changeCard: boolean
  changeAddress: boolean
  reactivate: boolean
}

const nothing: BillingActions = {
  pay: false,
  changeTier: false,
  undoTier: false,
  cancel: false,
  resume: false,
  changeCard: false,
  changeAddress: false,
  reactivate: false,
}

/** `isReadOnly`: an owner who looks in as this member. To somebody whose access was ended, only cancelling is left. */
export function actionsIn(billing: BillingSubscription, { isReadOnly }: { isReadOnly: boolean }): BillingActions {
  const { status, endsOn, isRevoked } = billing
  const runs = status === 'active' || status === 'trialing'
  const reactivate = !runs && !isRevoked
  if (isReadOnly) return { ...nothing, reactivate }
  const isBegun = isLive(status) && status !== 'incomplete'
  const cancel = (isRevoked ? isLive(status) : isBegun) && endsOn === null
  if (isRevoked) return { ...nothing, cancel }
  return {
    pay: isBegun && (isOverdue(billing) || billing.openInvoice !== null),
    changeTier: runs && endsOn === null,
    undoTier: runs && billing.nextPlan !== null,
    cancel,
    resume: endsOn !== null && isBegun,
    changeCard: isBegun,
    changeAddress: true,
    reactivate,
  }
}

const isOverdue = ({ status }: BillingSubscription): boolean => status === 'past_due' || status === 'unpaid'
