import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ConfirmDialog } from '#pwa/features/admin/confirm-dialog.tsx'
import type { Column } from '#pwa/features/admin/list/list-table-section.tsx'
import { ShortList } from '#pwa/features/admin/list/short-list-section.tsx'
import { ActionDialog, fieldProblem } from '#pwa/features/admin/member-page/dialogs/action-dialog.tsx'
import { useDraft } from '#pwa/features/admin/member-page/use-draft.ts'
import { adminKey } from '#pwa/features/admin/queries.ts'
import { useAdminAction } from '#pwa/features/admin/use-admin-action.ts'
import { api, parseResponse } from '#pwa/lib/api.ts'
import { Button, IconButton } from '#pwa/ui/button.tsx'
import { TextField } from '#pwa/ui/field.tsx'
import { SuppressedAddress, SuppressedAddressList } from '#shared/contract/mail.ts'
import { momentOf } from './system-texts.ts'

const stoppedQuery = queryOptions({
  queryKey: [adminKey, 'suppressed-addresses'],
  queryFn: () => parseResponse(SuppressedAddressList, api.api.admin['suppressed-addresses'].get()),
  staleTime: 0,
  refetchOnReconnect: true,
})

const columns: readonly Column<SuppressedAddress>[] = [
  { label: 'Address', kind: 'who', cell: ({ email }) => email, text: ({ email }) => email },
  { label: 'Why', cell: ({ reason }) => reason, text: ({ reason }) => reason },
  { label: 'Since', kind: 'date', cell: ({ since }) => momentOf(since), text: ({ since }) => since },
]

/** The addresses that nothing is sent to, and the way to stop another one or to free one. */
export function StoppedSection() {
  const query = useQuery(stoppedQuery)
  const [open, setOpen] = useState<'stop' | SuppressedAddress | null>(null)
  const close = () => setOpen(null)
  return (
    <section aria-label="Stopped addresses">
      <ShortList
        title="Stopped addresses"
        isPart
        name="stopped-addresses"
        {...{ query, columns }}
        idOf={({ email }) => email}
        note="No email goes to these, whatever it is about."
        tools={
          <Button look="line" isSmall aria-haspopup="dialog" onClick={() => setOpen('stop')}>
            Stop an address
          </Button>
        }
        empty={{
          title: 'No address is stopped',
          text: 'Stop one that is wrong, dead, or somebody else’s. You can free it again.',
        }}
        actions={(row) => (
          <Button
            look="line"
            isSmall
            aria-haspopup="dialog"
            aria-label={`Free: ${row.email}`}
            onClick={() => setOpen(row)}
          >
            Free
          </Button>
        )}
      />
      {open === 'stop' && <StopDialog onClose={close} />}
      {open !== null && open !== 'stop' && <FreeDialog address={open} onClose={close} />}
    </section>
  )
}

type StopProps = {
  /** Where it is known already, as beside a mail that was refused. */
  email?: string
  onClose: () => void
}

/** Beside a mail that did not arrive; nothing where its address is stopped already. */
export function StopButton({ email }: { email: string }) {
  const { data } = useQuery(stoppedQuery)
  const [isOpen, setOpen] = useState(false)
  if (data?.some((stopped) => stopped.email === email.toLowerCase())) return null
  return (
    <>
      <IconButton
        icon="ban"
        className="iconbtn--bad"
        label={`Stop all email to ${email}`}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      />
      {isOpen && <StopDialog email={email} onClose={() => setOpen(false)} />}
    </>
  )
}

/** What was typed and never saved stands there again. */
function StopDialog({ email, onClose }: StopProps) {
  const { values, change, finish } = useDraft(`stop:${email ?? ''}`, { email: email ?? '', reason: '' }, onClose)
  const action = useAdminAction({
    schema: SuppressedAddress,
    send: () => api.api.admin['suppressed-addresses'].post(values),
    failure: 'The address could not be stopped.',
    done: ({ email: stopped }) => ({ title: 'No more email goes there', description: stopped }),
    onDone: finish,
  })
  return (
    <ActionDialog
      title="Stop all email to an address"
      button="Stop all email"
      busy="Stopping…"
      keep="Leave it"
      isBad
      {...{ action, onClose }}
      onSubmit={() => action.mutate()}
    >
      <p>
        Nothing goes there any more: no receipts, no failed payments, no calls, and no sign-in code or link for a new
        password either. Their membership and payments go on. What is already waiting does not go out.
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
    // The typed client writes an address as it is given.
    send: () => api.api.admin['suppressed-addresses']({ email: encodeURIComponent(email) }).delete(),
    failure: 'The address could not be freed.',
    done: { title: 'Email goes there again', description: email },
    onDone: onClose,
  })
  return (
    <ConfirmDialog
      title={`Let email go to ${email} again?`}
      button="Let email go there"
      busy="Saving…"
      keep="Leave it stopped"
      look="ink"
      {...{ action, onClose }}
      onConfirm={() => action.mutate()}
    >
      <p>
        New email goes there from now on. What was refused meanwhile does not go by itself: send it again in the list
        above. An email with a link or code for one use is gone; the person can ask for a new one.
      </p>
    </ConfirmDialog>
  )
}
