import { cancelText, freeMonthText, resumeText } from '#pwa/features/admin/member-page/member-page-texts.ts'
import type { DialogProps } from '#pwa/features/admin/member-page/subscription-section.tsx'
import { useAdminAction } from '#pwa/features/admin/use-admin-action.ts'
import { api } from '#pwa/lib/api.ts'
import { BillingSubscription } from '#shared/contract/billing.ts'
import { ActionDialog } from './action-dialog.tsx'

export function CancelDialog({ record, name, onClose }: DialogProps) {
  const { subscription } = api.api.admin.members({ memberId: record.member.id })
  const action = useAdminAction({
    schema: BillingSubscription,
    send: () => (record.billing.status === 'unpaid' ? subscription.end.post() : subscription.cancel.post()),
    failure: 'The membership could not be cancelled',
    done: { title: 'Membership cancelled', description: name },
    onDone: onClose,
  })
  return (
    <ActionDialog
      title={`Cancel the membership of ${name}?`}
      button="Cancel the membership"
      busy="Cancelling…"
      keep="Keep it"
      isBad
      {...{ action, onClose }}
      onSubmit={() => action.mutate()}
    >
      <p>{cancelText(record)}</p>
    </ActionDialog>
  )
}

export function ResumeDialog({ record, name, onClose }: DialogProps) {
  const action = useAdminAction({
    schema: BillingSubscription,
    send: () => api.api.admin.members({ memberId: record.member.id }).subscription.resume.post(),
    failure: 'The membership could not be resumed',
    done: { title: 'Membership resumed', description: name },
    onDone: onClose,
  })
  return (
    <ActionDialog
      title={`Resume the membership of ${name}?`}
      button="Resume it"
      busy="Resuming…"
      {...{ action, onClose }}
      onSubmit={() => action.mutate()}
    >
      <p>{resumeText(record)}</p>
    </ActionDialog>
  )
}

export function FreeMonthDialog({ record, name, onClose }: DialogProps) {
  const isFree = record.billing.isNextFree !== true
  const action = useAdminAction({
    schema: BillingSubscription,
    send: () => api.api.admin.members({ memberId: record.member.id })['free-month'].put({ isFree }),
    failure: 'The free month could not be saved',
    done: { title: isFree ? 'The next month is free' : 'The free month is taken back', description: name },
    onDone: onClose,
  })
  return (
    <ActionDialog
      title={isFree ? `Give ${name} a free month?` : `Take back the free month of ${name}?`}
      button={isFree ? 'Give a free month' : 'Take it back'}
      busy="Saving…"
      {...{ action, onClose }}
      onSubmit={() => action.mutate()}
    >
      <p>{isFree ? freeMonthText(record) : 'The next payment is taken as usual.'}</p>
    </ActionDialog>
  )
}

export function UndoTierDialog({ record, name, onClose }: DialogProps) {
  const action = useAdminAction({
    schema: BillingSubscription,
    send: () => api.api.admin.members({ memberId: record.member.id }).subscription.tier.delete(),
    failure: 'The change of tier could not be undone',
    done: { title: 'Change of tier undone', description: name },
    onDone: onClose,
  })
  return (
    <ActionDialog
      title={`Undo the change of tier for ${name}?`}
      button="Undo the change"
      busy="Undoing…"
      {...{ action, onClose }}
      onSubmit={() => action.mutate()}
    >
      <p>
        They stay on {record.billing.plan?.name ?? 'their tier'} and do not move to {record.billing.nextPlan?.name}.
        Nothing is taken or given back by this.
      </p>
    </ActionDialog>
  )
}
