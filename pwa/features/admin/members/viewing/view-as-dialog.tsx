import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type RefObject, useRef, useState } from 'react'
import { SearchForm } from '#pwa/features/admin/kit/list/search-form.tsx'
import { adminKey, requestListPage } from '#pwa/features/admin/kit/queries.ts'
import { openSession, showUser } from '#pwa/features/auth/session-store.ts'
import { api, parseResponse } from '#pwa/lib/api.ts'
import { isOffline, messageOf } from '#pwa/lib/request-error.ts'
import { Badge } from '#pwa/ui/badge.tsx'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { Dialog } from '#pwa/ui/dialog.tsx'
import { TextField } from '#pwa/ui/field.tsx'
import { Skeleton } from '#pwa/ui/skeleton.tsx'
import { useToast } from '#pwa/ui/toast.tsx'
import { Impersonation } from '#shared/contract/impersonation.ts'
import { AdminMember } from '#shared/contract/members.ts'
import { listedMemberState } from '#shared/rules/member-state.ts'
import { nameOrEmail } from '#shared/rules/person-name.ts'
import './view-as.css'

/** Leaves out owners. A reason goes into the audit log. */
export default function ViewAsDialog({ onClose }: { onClose: () => void }) {
  const reason = useRef<HTMLInputElement>(null)
  const start = useStartViewing()
  const view = ({ id }: AdminMember) => {
    if (!start.isPending) start.mutate({ id, reason: reason.current?.value.trim() ?? '' })
  }
  return (
    <Dialog isOpen onClose={onClose} title="View as Member">
      <ReasonField field={reason} />
      <Members startingId={start.isPending ? start.variables.id : undefined} onView={view} />
    </Dialog>
  )
}

const ReasonField = ({ field }: { field: RefObject<HTMLInputElement | null> }) => (
  <TextField
    ref={field}
    label="Reason (optional)"
    maxLength={300}
    autoComplete="off"
    hint="We keep a record, and the member can read your reason. For 30 minutes you see what they see, but can’t change anything."
  />
)

type MembersProps = { startingId: string | undefined; onView: (member: AdminMember) => void }

const pageSize = 50

function Members({ startingId, onView }: MembersProps) {
  const [q, setQ] = useState<string>()
  const lists = [useMembers(q, 'with-access'), useMembers(q, 'without-access')]
  const failed = lists.find(({ error }) => error !== null)
  const members = lists.flatMap(({ data }) => data?.rows ?? []).filter(({ isAdmin }) => !isAdmin)
  return (
    <>
      <SearchForm label="Find a member" q={q} onChange={(address) => setQ(address.q || undefined)} />
      {failed?.error ? (
        <Banner
          tone="bad"
          role="alert"
          title={messageOf(failed.error, 'We couldn’t load the members.')}
          action={
            <Button look="line" isSmall icon="sync" isBusy={failed.isFetching} onClick={() => failed.refetch()}>
              Try again
            </Button>
          }
        />
      ) : lists.some(({ data }) => data === undefined) ? (
        <Skeleton size="block" />
      ) : members.length === 0 ? (
        <p role="status">No members found</p>
      ) : (
        <ul className="viewlist">
          {members.map((member) => (
            <MemberRow key={member.id} isStarting={startingId === member.id} member={member} onView={onView} />
          ))}
        </ul>
      )}
      {lists.some(({ data }) => data?.next) && (
        <p className="second">There are more. Type a name, email or phone number.</p>
      )}
    </>
  )
}

/** Who has access comes first, the others after them. */
const useMembers = (q: string | undefined, show: 'with-access' | 'without-access') =>
  useQuery({
    queryKey: [adminKey, 'view-as', show, q],
    queryFn: () =>
      requestListPage(AdminMember, api.api.admin.members.get({ query: { q, show, sort: 'name', limit: pageSize } })),
    placeholderData: (before) => before,
    staleTime: 0,
  })

type RowProps = { member: AdminMember; isStarting: boolean; onView: MembersProps['onView'] }

function MemberRow({ member, isStarting, onView }: RowProps) {
  const { tone, text } = listedMemberState(member)
  return (
    <li>
      <span>
        {nameOrEmail(member)}
        <small className="second">{member.email}</small>
      </span>
      {!member.isMember && <Badge tone={tone}>{text}</Badge>}
      <Button
        look="line"
        isSmall
        icon="eye"
        aria-label={`View as ${nameOrEmail(member)}`}
        isBusy={isStarting}
        busyLabel="Opening…"
        onClick={() => onView(member)}
      >
        View
      </Button>
    </li>
  )
}

function useStartViewing() {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const toast = useToast()
  return useMutation({
    mutationFn: async ({ id, reason }: { id: string; reason: string }) => {
      const session = await openSession(queryClient)
      const call = session.api.api.admin.impersonate({ memberId: id }).post(reason === '' ? {} : { reason })
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
