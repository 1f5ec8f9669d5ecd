import { useQuery } from '@tanstack/react-query'
import { ConfirmDialog } from '#pwa/features/admin/kit/forms/confirm-dialog.tsx'
import { adminKey } from '#pwa/features/admin/kit/queries.ts'
import { useAdminAction } from '#pwa/features/admin/kit/use-admin-action.ts'
import { api, parseResponse } from '#pwa/lib/api.ts'
import { messageOf } from '#pwa/lib/request-error.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Skeleton } from '#pwa/ui/skeleton.tsx'
import { DeleteInvoicesResponse } from '#shared/contract/invoices.ts'
import type { AdminMember } from '#shared/contract/members.ts'
import { nameOrEmail } from '#shared/rules/person-name.ts'

type Props = { member: Pick<AdminMember, 'id' | 'firstName' | 'lastName' | 'email'>; onClose: () => void }

const deleteCall = api.api.admin['delete-member-invoices']

/** Lists what would be deleted first. No owner can delete finalised invoices. */
export function InvoiceDeleteDialog({ member, onClose }: Props) {
  const name = nameOrEmail(member)
  const preview = useQuery({
    queryKey: [adminKey, 'invoice-removal', member.id],
    queryFn: () => parseResponse(DeleteInvoicesResponse, deleteCall.post({ memberId: member.id, dryRun: true })),
    staleTime: 0,
    gcTime: 0,
  })
  const action = useAdminAction({
    schema: DeleteInvoicesResponse,
    send: () => deleteCall.post({ memberId: member.id, dryRun: false }),
    failure: 'Failed to delete member invoices',
    done: ({ deletedCount, errorCount }) => ({
      title: `${deletedCount} ${deletedCount === 1 ? 'invoice' : 'invoices'} deleted`,
      description: errorCount === 0 ? name : `${name}; we couldn’t delete ${errorCount}`,
    }),
    onDone: onClose,
  })
  const count = preview.data?.deletedCount ?? 0
  return (
    <ConfirmDialog
      title={`Delete ${name}’s invoices?`}
      button={count > 0 ? `Delete ${count}` : null}
      busy="Deleting…"
      keep={count > 0 ? 'Keep them' : 'Close'}
      action={action}
      onClose={onClose}
      onConfirm={() => action.mutate()}
    >
      {preview.data ? (
        <Preview {...preview.data} />
      ) : preview.error ? (
        <Banner tone="bad" role="alert" title={messageOf(preview.error, 'We couldn’t load the invoices.')} />
      ) : (
        <Skeleton size="block" />
      )}
    </ConfirmDialog>
  )
}

const Preview = ({ deleted, finalizedCount, message }: DeleteInvoicesResponse) => (
  <>
    {deleted.length === 0 ? (
      <p>There’s nothing to delete.</p>
    ) : (
      <>
        <p>
          We delete drafts for good. If an invoice was issued late for an old payment, we cancel it with a credit note.
        </p>
        <ul>
          {deleted.map((number) => (
            <li key={number}>{number}</li>
          ))}
        </ul>
      </>
    )}
    {finalizedCount > 0 && (
      <p>
        {finalizedCount} issued {finalizedCount === 1 ? 'invoice stays' : 'invoices stay'}.
      </p>
    )}
    {message && <p>{message}.</p>}
  </>
)
