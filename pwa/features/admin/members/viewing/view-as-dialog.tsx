import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type RefObject, useRef, useState } from 'react'
import { SearchForm } from '#pwa/features/admin/list/search-form.tsx'
import { adminKey, requestListPage } from '#pwa/features/admin/queries.ts'
import { openSession, showUser } from '#pwa/features/auth/session-store.ts'
import { RequiredLabel } from '#pwa/features/forms/form-fields.tsx'
import { api, parseResponse } from '#pwa/lib/api.ts'
import { isOffline, messageOf } from '#pwa/lib/request-error.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { Dialog } from '#pwa/ui/dialog.tsx'
import { TextField } from '#pwa/ui/field.tsx'
import { Skeleton } from '#pwa/ui/skeleton.tsx'
import { useToast } from '#pwa/ui/toast.tsx'
import { Impersonation } from '#shared/contract/impersonation.ts'
import { AdminMember } from '#shared/contract/members.ts'
import { nameOrEmail } from '#shared/rules/person-name.ts'
import './view-as.css'

/** Leaves out owners. The reason goes into the audit log. */
export default function ViewAsDialog({ onClose }: { onClose: () => void }) {
  const reason = useRef<HTMLInputElement>(null)
  const [isMissing, setMissing] = useState(false)
  const start = useStartViewing()
  const view = ({ id }: AdminMember) => {
    const words = reason.current?.value.trim() ?? ''
    setMissing(words === '')
    if (words === '') reason.current?.focus()
    else if (!start.isPending) start.mutate({ id, reason: words })
  }
  return (
    <Dialog isOpen onClose={onClose} title="View as Member">
      <ReasonField field={reason} isMissing={isMissing} />
      <Members startingId={start.isPending ? start.variables.id : undefined} onView={view} />
    </Dialog>
  )
}

const ReasonField = ({ field, isMissing }: { field: RefObject<HTMLInputElement | null>; isMissing: boolean }) => (
  <TextField
    ref={field}
    label={<RequiredLabel label="Reason" />}
    maxLength={300}
    required
    autoComplete="off"
    hint="The member can read it. For 30 minutes you see what they see, but can’t change anything."
    error={isMissing ? 'Say why first.' : undefined}
  />
)

type MembersProps = { startingId: string | undefined; onView: (member: AdminMember) => void }

const pageSize = 50

function Members({ startingId, onView }: MembersProps) {
  const [q, setQ] = useState<string>()
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: [adminKey, 'view-as', q],
    queryFn: () =>
      requestListPage(AdminMember, api.api.admin.members.get({ query: { q, sort: 'name', limit: pageSize } })),
    placeholderData: (before) => before,
    staleTime: 0,
  })
  const members = data?.rows.filter(({ isAdmin }) => !isAdmin)
  return (
    <>
      <SearchForm label="Find a member" q={q} onChange={(address) => setQ(address.q || undefined)} />
      {error ? (
        <Banner
          tone="bad"
          role="alert"
          title={messageOf(error, 'We couldn’t load the members.')}
          action={
            <Button look="line" isSmall icon="sync" isBusy={isFetching} onClick={() => refetch()}>
              Try again
            </Button>
          }
        />
      ) : members === undefined ? (
        <Skeleton size="block" />
      ) : members.length === 0 ? (
        <p role="status">No members found</p>
      ) : (
        <ul className="viewlist">
          {members.map((member) => (
            <li key={member.id}>
              <span>
                {nameOrEmail(member)}
                <small className="second">{member.email}</small>
              </span>
              <Button
                look="line"
                isSmall
                icon="eye"
                aria-label={`View as ${nameOrEmail(member)}`}
                isBusy={startingId === member.id}
                busyLabel="Opening…"
                onClick={() => onView(member)}
              >
                View
              </Button>
            </li>
          ))}
        </ul>
      )}
      {data?.next && <p className="second">There are more. Type a name, email or phone number.</p>}
    </>
  )
}

function useStartViewing() {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const toast = useToast()
  return useMutation({
    mutationFn: async ({ id, reason }: { id: string; reason: string }) => {
      const session = await openSession(queryClient)
      const call = session.api.api.admin.impersonate({ memberId: id }).post({ reason })
      const { user } = await parseResponse(Impersonation, call)
      await showUser(session, user)
    },
    onSuccess: () => navigate({ to: '/members' }),
    onError: (error) => {
      const hasNoSignal = isOffline(error)
      const description = hasNoSignal ? messageOf(error, '') : 'Failed to switch to member view'
      toast({ title: 'Error', description, tone: 'bad' })
    },
  })
}
