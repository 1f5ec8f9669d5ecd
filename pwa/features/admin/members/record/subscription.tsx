import { type ComponentType, lazy, Suspense, useState } from 'react'
import {
  actionsOf,
  addressText,
  billingStateFacts,
  type DialogProps,
  freeAccessText,
  nextPaymentOn,
} from '#pwa/features/admin/kit/members/member-page-texts.ts'
import { loadFile } from '#pwa/lib/load-file.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button } from '#pwa/ui/button.tsx'
import type { NextPayment } from '#shared/contract/billing.ts'
import type { MemberRecord } from '#shared/contract/member-record.ts'
import { formatLongDate } from '#shared/rules/london.ts'
import { subscriptionState } from '#shared/rules/member-state.ts'
import { formatPoundsAndPence } from '#shared/rules/money.ts'
import { methodLabel } from '#shared/rules/payment-method.ts'
import { dueText, nextText, priceText } from '#shared/rules/payment-words.ts'
import { everyPeriod } from '#shared/rules/price-words.ts'
import { keptDraftText } from '#shared/rules/state-line.ts'
import { Facts } from './profile.tsx'

type Action = {
  label: string
  /** For one button with two labels: it keeps the focus while it changes. */
  key?: string
  isShown: boolean
  /** What Find calls it, where it asks who for. */
  ask?: string
  Dialog: ComponentType<DialogProps>
}

const CancelDialog = lazy(() =>
  loadFile(() => import('./dialogs/cancel-dialog.tsx')).then((file) => ({ default: file.CancelDialog })),
)
const ResumeDialog = lazy(() =>
  loadFile(() => import('./dialogs/cancel-dialog.tsx')).then((file) => ({ default: file.ResumeDialog })),
)
const FreeMonthDialog = lazy(() =>
  loadFile(() => import('./dialogs/cancel-dialog.tsx')).then((file) => ({ default: file.FreeMonthDialog })),
)
const UndoTierDialog = lazy(() =>
  loadFile(() => import('./dialogs/cancel-dialog.tsx')).then((file) => ({ default: file.UndoTierDialog })),
)
const TierDialog = lazy(() =>
  loadFile(() => import('./dialogs/tier-dialog.tsx')).then((file) => ({ default: file.TierDialog })),
)
const FreeAccessDialog = lazy(() =>
  loadFile(() => import('./dialogs/free-access-dialog.tsx')).then((file) => ({ default: file.FreeAccessDialog })),
)
const EndFreeAccessDialog = lazy(() =>
  loadFile(() => import('./dialogs/free-access-dialog.tsx')).then((file) => ({ default: file.EndFreeAccessDialog })),
)
const PutOffDialog = lazy(() =>
  loadFile(() => import('#pwa/features/admin/kit/members/put-off-dialog.tsx')).then(({ PutOffDialog: Dialog }) => ({
    default: ({ record, ...props }: DialogProps) => (
      <Dialog {...props} memberId={record.member.id} renewsOn={nextPaymentOn(record.billing) ?? ''} />
    ),
  })),
)
const AddressDialog = lazy(() =>
  loadFile(() => import('./dialogs/address-dialog.tsx')).then((file) => ({ default: file.AddressDialog })),
)
const CardLinkDialog = lazy(() =>
  loadFile(() => import('#pwa/features/admin/kit/members/link-dialog.tsx')).then((file) => ({
    default: file.CardLinkDialog,
  })),
)
const ReactivationLinkDialog = lazy(() =>
  loadFile(() => import('#pwa/features/admin/kit/members/link-dialog.tsx')).then((file) => ({
    default: file.ReactivationLinkDialog,
  })),
)

export function listActions(record: MemberRecord): Action[] {
  const can = actionsOf(record)
  return [
    { label: 'Change tier', ask: 'tier', isShown: can.changeTier, Dialog: TierDialog },
    { label: 'Undo tier change', isShown: can.undoTier, Dialog: UndoTierDialog },
    { label: 'Resume', ask: 'resume', isShown: can.resume, Dialog: ResumeDialog },
    {
      key: 'Free month',
      label: can.undoFreeMonth ? 'Cancel free month' : 'Free month',
      isShown: can.freeMonth || can.undoFreeMonth,
      ...(can.freeMonth && { ask: 'free-month' }),
      Dialog: FreeMonthDialog,
    },
    { label: 'Put off renewal', isShown: can.putOff, Dialog: PutOffDialog },
    { label: 'Free access', ask: 'free-access', isShown: true, Dialog: FreeAccessDialog },
    { label: 'End free access', isShown: record.freeAccess !== null, Dialog: EndFreeAccessDialog },
    { label: 'Ask for a new card', ask: 'card', isShown: can.card, Dialog: CardLinkDialog },
    { label: 'Change invoice address', isShown: true, Dialog: AddressDialog },
    { label: 'Create reactivation link', isShown: record.billing.hasBeenMember, Dialog: ReactivationLinkDialog },
    { label: 'Cancel membership', ask: 'cancel', isShown: can.cancel, Dialog: CancelDialog },
  ]
}

/** Everything members can do under Billing, done for them. */
export function SubscriptionSection({ record, name }: { record: MemberRecord; name: string }) {
  const [open, setOpen] = useState<Action | null>(null)
  const { member } = record
  return (
    <section className="sheet person__part" aria-label="Subscription">
      <h2>Subscription</h2>
      <p className="person__line">They see: “{member.stateLine}”</p>
      {record.keptDrafts.map((draft) => (
        <Banner key={draft.id} tone="bad" title={keptDraftText(draft)} />
      ))}
      <Facts facts={factsOf(record)} />
      {!member.isAdmin && (
        <div className="acts">
          {listActions(record)
            .filter(({ isShown }) => isShown)
            .map((action) => (
              <Button
                key={action.key ?? action.label}
                isSmall
                look="line"
                aria-haspopup="dialog"
                onClick={() => setOpen(action)}
              >
                {action.label}
              </Button>
            ))}
        </div>
      )}
      {open && (
        <Suspense>
          <open.Dialog record={record} name={name} onClose={() => setOpen(null)} />
        </Suspense>
      )}
    </section>
  )
}

const addOnText = ({ description, total }: MemberRecord['addOns'][number]) =>
  `${description} (${formatPoundsAndPence(total)})`

function factsOf({ billing, addOns, paymentMethod, address, freeAccess }: MemberRecord) {
  const { plan, nextPlan, openInvoice, endsOn } = billing
  const next = billing.nextPayment
  return [
    ['Tier', plan && `${plan.name}, ${priceText(plan)} ${everyPeriod(plan)}`],
    ['Status', subscriptionState(billingStateFacts(billing)).text],
    ['Next payment', next && (billing.isCardMissing ? uncardedText(next) : nextText(next, 'Their', plan))],
    ['Ends', endsOn && formatLongDate(endsOn)],
    ['Changes to', nextPlan && `${nextPlan.name}, ${priceText(nextPlan)}, from ${formatLongDate(nextPlan.from)}`],
    ['Add-ons last paid', addOns.map(addOnText).join(', ')],
    ['Unpaid', openInvoice && dueText(openInvoice)],
    ['Free access', freeAccess && freeAccessText(freeAccess)],
    ['Pays by', paymentMethod && cardText(paymentMethod)],
    ['Invoices to', address && addressText(address)],
  ] as const
}

const uncardedText = (next: NextPayment) => `${dueText(next)} on ${formatLongDate(next.on)}, with no card saved.`

function cardText(method: NonNullable<MemberRecord['paymentMethod']>): string {
  const { expMonth, expYear } = method
  const ends = expMonth === null || expYear === null ? '' : `, until ${String(expMonth).padStart(2, '0')}/${expYear}`
  return `${methodLabel(method)}${ends}`
}
