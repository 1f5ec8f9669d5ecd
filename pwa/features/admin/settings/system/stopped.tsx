import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ActionDialog, fieldProblem } from '#pwa/features/admin/kit/forms/action-dialog.tsx'
import { ConfirmDialog } from '#pwa/features/admin/kit/forms/confirm-dialog.tsx'
import { useDraft } from '#pwa/features/admin/kit/forms/use-draft.ts'
import type { Column } from '#pwa/features/admin/kit/list/list-table.tsx'
import { ShortList } from '#pwa/features/admin/kit/list/short-list.tsx'
import { adminKey } from '#pwa/features/admin/kit/queries.ts'
import { useAdminAction } from '#pwa/features/admin/kit/use-admin-action.ts'
import { api, parseResponse } from '#pwa/lib/api.ts'
import { Button, IconButton } from '#pwa/ui/button.tsx'
import { TextField } from '#pwa/ui/field.tsx'
import { SuppressedAddress, SuppressedAddressList } from '#shared/contract/mail.ts'
import { formatMoment } from '#shared/rules/london.ts'

const stoppedQuery = queryOptions({
  queryKey: [adminKey, 'suppressed-addresses'],
  queryFn: () => parseResponse(SuppressedAddressList, api.api.admin['suppressed-addresses'].get()),
  staleTime: 0,
  refetchOnReconnect: true,
})

const columns: readonly Column<SuppressedAddress>[] = [
  { label: 'Address', kind: 'who', cell: ({ email }) => email, text: ({ email }) => email },
  { label: 'Why', cell: ({ reason }) => reason, text: ({ reason }) => reason },
  { label: 'Since', kind: 'date', cell: ({ since }) => formatMoment(since), text: ({ since }) => since },
]

export function StoppedSection() {
  const query = useQuery(stoppedQuery)
  const [open, setOpen] = useState<'stop' | SuppressedAddress | null>(null)
  const close = () => setOpen(null)
  return (
    <section aria-label="Blocked addresses">
      <ShortList
        title="Blocked addresses"
        isPart
        name="stopped-addresses"
        query={query}
        columns={columns}
        idOf={({ email }) => email}
        note="We don’t email these, whatever it’s about."
        tools={
          <Button look="line" isSmall aria-haspopup="dialog" onClick={() => setOpen('stop')}>
            Block an address
          </Button>
        }
        empty={{
          title: 'No blocked addresses',
          text: 'Block one that’s wrong, dead or someone else’s. You can unblock it.',
        }}
        actions={(row) => (
          <Button
            look="line"
            isSmall
            aria-haspopup="dialog"
            aria-label={`Unblock: ${row.email}`}
            onClick={() => setOpen(row)}
          >
            Unblock
          </Button>
        )}
      />
      {open === 'stop' && <StopDialog onClose={close} />}
      {open !== null && open !== 'stop' && <FreeDialog address={open} onClose={close} />}
    </section>
  )
}

type StopProps = {
  email?: string
  onClose: () => void
}

/** Offered with an undelivered email, unless its address is blocked already. */
export function StopButton({ email }: { email: string }) {
  const { data } = useQuery(stoppedQuery)
  const [isOpen, setOpen] = useState(false)
  if (data?.some((stopped) => stopped.email === email.toLowerCase())) return null
  return (
    <>
      <IconButton icon="ban" label={`Block ${email}`} aria-haspopup="dialog" onClick={() => setOpen(true)} />
      {isOpen && <StopDialog email={email} onClose={() => setOpen(false)} />}
    </>
  )
}

function StopDialog({ email, onClose }: StopProps) {
  const { values, change, finish } = useDraft(`stop:${email ?? ''}`, { email: email ?? '', reason: '' }, onClose)
  const action = useAdminAction({
    schema: SuppressedAddress,
    send: () => api.api.admin['suppressed-addresses'].post(values),
    failure: 'We couldn’t block the address.',
    done: ({ email: stopped }) => ({ title: 'Address blocked', description: stopped }),
    onDone: finish,
  })
  return (
    <ActionDialog
      title="Block an address"
      button="Block address"
      busy="Blocking…"
      keep="Leave it"
      isBad
      action={action}
      onClose={onClose}
      onSubmit={() => action.mutate()}
    >
      <p>
        They’ll get no email at all, including receipts, payment and call reminders, login codes and password resets.
        Their membership and payments carry on. Emails not sent yet won’t go.
      </p>
      <TextField
        label="Email address"
        type="email"
        required
        autoComplete="off"
        readOnly={email !== undefined}
        value={values.email}
        error={fieldProblem(action.error, 'email')}
        onChange={({ target }) => change({ email: target.value })}
      />
      <TextField
        label="Why, for owners only"
        autoComplete="off"
        maxLength={200}
        value={values.reason}
        error={fieldProblem(action.error, 'reason')}
        onChange={({ target }) => change({ reason: target.value })}
      />
    </ActionDialog>
  )
}

function FreeDialog({ address: { email }, onClose }: { address: SuppressedAddress; onClose: () => void }) {
  const action = useAdminAction({
    schema: SuppressedAddress,
    // Eden doesn’t encode path parameters.
    send: () => api.api.admin['suppressed-addresses']({ email: encodeURIComponent(email) }).delete(),
    failure: 'We couldn’t unblock the address.',
    done: { title: 'Address unblocked', description: email },
    onDone: onClose,
  })
  return (
    <ConfirmDialog
      title={`Unblock ${email}?`}
      button="Unblock"
      busy="Saving…"
      keep="Keep it blocked"
      look="ink"
      action={action}
      onClose={onClose}
      onConfirm={() => action.mutate()}
    >
      <p>
        New emails will go there from now on. To send one we held back, use the list above. Login links and codes have
        run out, so they’ll need to ask for new ones.
      </p>
    </ConfirmDialog>
  )
}
