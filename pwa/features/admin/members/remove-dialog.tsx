import { useQuery } from '@tanstack/react-query'
import { ConfirmDialog } from '#pwa/features/admin/kit/forms/confirm-dialog.tsx'
import { adminKey } from '#pwa/features/admin/kit/queries.ts'
import { useAdminAction } from '#pwa/features/admin/kit/use-admin-action.ts'
import { api, parseResponse } from '#pwa/lib/api.ts'
import { messageOf } from '#pwa/lib/request-error.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Skeleton } from '#pwa/ui/skeleton.tsx'
import { type AdminMember, MemberRemoval } from '#shared/contract/members.ts'
import { nameOrEmail } from '#shared/rules/person-name.ts'

type Props = { member: Pick<AdminMember, 'id' | 'firstName' | 'lastName' | 'email'>; onClose: () => void }

export function RemoveDialog({ member, onClose }: Props) {
  const name = nameOrEmail(member)
  const call = api.api.admin.members({ memberId: member.id })
  const preview = useQuery({
    queryKey: [adminKey, 'removal', member.id],
    queryFn: () => parseResponse(MemberRemoval, call.delete({}, { query: { dryRun: 'true' } })),
    staleTime: 0,
    gcTime: 0,
  })
  const action = useAdminAction({
    schema: MemberRemoval,
    send: () => call.delete({}, { query: { dryRun: 'false' } }),
    failure: 'Failed to remove member',
    done: { title: 'Member removed', description: name },
    onDone: onClose,
  })
  return (
    <ConfirmDialog
      title={`Remove ${name} permanently?`}
      button="Remove permanently"
      busy="Removing…"
      keep="Keep the account"
      isDisabled={preview.data === undefined}
      action={action}
      onClose={onClose}
      onConfirm={() => action.mutate()}
    >
      <p>You cannot undo this.</p>
      {preview.data ? (
        <Consequences {...preview.data} />
      ) : preview.error ? (
        <Banner tone="bad" role="alert" title={messageOf(preview.error, 'We couldn’t check what would be removed.')} />
      ) : (
        <Skeleton size="block" />
      )}
    </ConfirmDialog>
  )
}

const Consequences = ({ subscriptions, goes, stays }: MemberRemoval) => (
  <>
    <Counts
      title="We’ll delete"
      counts={[
        [subscriptions, 'membership (cancelled at Stripe first)', 'memberships (cancelled at Stripe first)'],
        [goes.sessions, 'login', 'logins'],
        [goes.progress, 'video ticked off', 'videos ticked off'],
        [goes.mails, 'email', 'emails'],
      ]}
      nothing="Only the account."
    />
    <Counts
      title="We’ll keep these for the books, without the name where the law allows"
      counts={[
        [stays.invoices, 'invoice', 'invoices'],
        [stays.creditNotes, 'credit note', 'credit notes'],
        [stays.commissionLines, 'commission entry', 'commission entries'],
        [stays.applications, 'application', 'applications'],
        [stays.unsentMails, 'unsent email', 'unsent emails'],
      ]}
      nothing="Nothing."
    />
  </>
)

type CountsProps = { title: string; counts: [count: number, one: string, many: string][]; nothing: string }

function Counts({ title, counts, nothing }: CountsProps) {
  const some = counts.filter(([count]) => count > 0)
  return (
    <>
      <h3>{title}</h3>
      {some.length === 0 ? (
        <p>{nothing}</p>
      ) : (
        <ul>
          {some.map(([count, one, many]) => (
            <li key={one}>
              {count} {count === 1 ? one : many}
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
