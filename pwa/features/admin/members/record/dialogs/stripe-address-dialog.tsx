import { ActionDialog } from '#pwa/features/admin/kit/forms/action-dialog.tsx'
import { useAdminAction } from '#pwa/features/admin/kit/use-admin-action.ts'
import { api } from '#pwa/lib/api.ts'
import type { StripeAddressDecision } from '#shared/contract/member-record.ts'
import { AdminMemberDetail } from '#shared/contract/members.ts'

type Props = StripeAddressDecision & { member: AdminMemberDetail; name: string; onClose: () => void }

export function StripeAddressDialog({ member: { id, email }, name, counts, address, onClose }: Props) {
  const kept = counts === 'stripe' ? address : email
  const action = useAdminAction({
    schema: AdminMemberDetail,
    send: () => api.api.admin.members({ memberId: id })['stripe-address'].post({ counts, address }),
    failure: 'We couldn’t save your decision',
    done: { title: counts === 'stripe' ? 'Email changed' : 'Email put back at Stripe', description: kept },
    onDone: onClose,
  })
  return (
    <ActionDialog
      title={counts === 'stripe' ? `Change ${name}’s email?` : `Keep ${name}’s email?`}
      button={counts === 'stripe' ? 'Change email' : 'Keep ours'}
      busy="Saving…"
      action={action}
      onClose={onClose}
      onSubmit={() => action.mutate()}
    >
      <p>
        {counts === 'stripe'
          ? `They’ll log in with ${address} and we’ll email it.`
          : `We’ll write ${email} back to Stripe.`}
      </p>
      {counts === 'stripe' && (
        <p>{`We’ll tell ${email} about the change. Links we sent there stop working. If someone else reads that mailbox, change the email under Profile.`}</p>
      )}
    </ActionDialog>
  )
}
