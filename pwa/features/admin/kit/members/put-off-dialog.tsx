import { ActionDialog } from '#pwa/features/admin/kit/forms/action-dialog.tsx'
import { useAdminAction } from '#pwa/features/admin/kit/use-admin-action.ts'
import { api } from '#pwa/lib/api.ts'
import { BillingSubscription } from '#shared/contract/billing.ts'
import { formatLongDate } from '#shared/rules/london.ts'
import { putOffTo } from '#shared/rules/renewal-notices.ts'

type Props = { memberId: string; name: string; renewsOn: string; onClose: () => void }

export function PutOffDialog({ memberId, name, renewsOn, onClose }: Props) {
  const action = useAdminAction({
    schema: BillingSubscription,
    send: () => api.api.admin.members({ memberId })['put-off'].post({ from: renewsOn }),
    failure: 'We couldn’t put the renewal off',
    done: { title: 'Renewal put off', description: name },
    onDone: onClose,
  })
  const to = formatLongDate(putOffTo(`${renewsOn}T12:00:00.000Z`))
  return (
    <ActionDialog
      title={`Put ${name}’s renewal off?`}
      button="Put off renewal"
      busy="Saving…"
      action={action}
      onClose={onClose}
      onSubmit={() => action.mutate()}
    >
      <p>
        We’ll take the payment on {to} instead of {formatLongDate(renewsOn)}. They keep their access. We’ll email them
        before the new day.
      </p>
    </ActionDialog>
  )
}
