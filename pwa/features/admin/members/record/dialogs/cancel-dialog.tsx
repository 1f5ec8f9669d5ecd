import { ActionDialog } from '#pwa/features/admin/kit/forms/action-dialog.tsx'
import type { DialogProps } from '#pwa/features/admin/kit/members/member-page-texts.ts'
import { cancelText, freeMonthText, resumeText } from '#pwa/features/admin/kit/members/member-page-texts.ts'
import { useAdminAction } from '#pwa/features/admin/kit/use-admin-action.ts'
import { api } from '#pwa/lib/api.ts'
import { BillingSubscription } from '#shared/contract/billing.ts'
import { nextText } from '#shared/rules/payment-words.ts'
import { useNextPayment, useNextPaymentPreview } from './use-next-payment.ts'

export function CancelDialog({ record, name, onClose }: DialogProps) {
  const last = useNextPaymentPreview(record, { change: 'cancel' })
  const { subscription } = api.api.admin.members({ memberId: record.member.id })
  const action = useAdminAction({
    schema: BillingSubscription,
    send: () => (record.billing.status === 'unpaid' ? subscription.end.post() : subscription.cancel.post()),
    failure: 'We couldn’t cancel the membership',
    done: { title: 'Membership cancelled', description: name },
    onDone: onClose,
  })
  return (
    <ActionDialog
      title={`Cancel ${name}’s membership?`}
      button="Cancel membership"
      busy="Cancelling…"
      keep="Keep it"
      isBad
      action={action}
      onClose={onClose}
      onSubmit={() => action.mutate()}
    >
      <p>{cancelText(record, last)}</p>
    </ActionDialog>
  )
}

export function ResumeDialog({ record, name, onClose }: DialogProps) {
  const next = useNextPayment(record, { change: 'resume' })
  const action = useAdminAction({
    schema: BillingSubscription,
    send: () => api.api.admin.members({ memberId: record.member.id }).subscription.resume.post(),
    failure: 'We couldn’t resume the membership',
    done: { title: 'Membership resumed', description: name },
    onDone: onClose,
  })
  return (
    <ActionDialog
      title={`Resume ${name}’s membership?`}
      button="Resume membership"
      busy="Resuming…"
      action={action}
      onClose={onClose}
      onSubmit={() => action.mutate()}
    >
      <p>{resumeText(record, next)}</p>
    </ActionDialog>
  )
}

export function FreeMonthDialog({ record, name, onClose }: DialogProps) {
  const isFree = record.billing.isNextFree !== true
  const next = useNextPayment(record, { change: isFree ? 'free-month' : 'no-free-month' })
  const action = useAdminAction({
    schema: BillingSubscription,
    send: () => api.api.admin.members({ memberId: record.member.id })['free-month'].put({ isFree }),
    failure: 'We couldn’t save the free month',
    done: { title: isFree ? 'The next month is free' : 'Free month cancelled', description: name },
    onDone: onClose,
  })
  return (
    <ActionDialog
      title={isFree ? `Give ${name} a free month?` : `Cancel ${name}’s free month?`}
      button={isFree ? 'Give a free month' : 'Cancel free month'}
      busy="Saving…"
      action={action}
      onClose={onClose}
      onSubmit={() => action.mutate()}
    >
      <p>
        {isFree
          ? freeMonthText(record, next)
          : next
            ? nextText(next, 'Their', record.billing.plan)
            : 'We’ll take their next payment as usual.'}
      </p>
      <p>We won’t email them. They see it in Billing.</p>
    </ActionDialog>
  )
}

export function UndoTierDialog({ record, name, onClose }: DialogProps) {
  const action = useAdminAction({
    schema: BillingSubscription,
    send: () => api.api.admin.members({ memberId: record.member.id }).subscription.tier.delete(),
    failure: 'We couldn’t undo the tier change',
    done: { title: 'Tier change undone', description: name },
    onDone: onClose,
  })
  return (
    <ActionDialog
      title={`Undo ${name}’s tier change?`}
      button="Undo tier change"
      busy="Undoing…"
      action={action}
      onClose={onClose}
      onSubmit={() => action.mutate()}
    >
      <p>
        They’ll stay on {record.billing.plan?.name ?? 'their tier'} and won’t move to {record.billing.nextPlan?.name}.
      </p>
    </ActionDialog>
  )
}
