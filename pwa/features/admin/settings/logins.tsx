import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { Column } from '#pwa/features/admin/kit/list/list-table.tsx'
import { ShortList } from '#pwa/features/admin/kit/list/short-list.tsx'
import { useAdminAction } from '#pwa/features/admin/kit/use-admin-action.ts'
import { api } from '#pwa/lib/api.ts'
import { Badge } from '#pwa/ui/badge.tsx'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { Dialog } from '#pwa/ui/dialog.tsx'
import { KeepButton } from '#pwa/ui/keep-button.tsx'
import { type AdminSession, RevokeSessionsResponse } from '#shared/contract/sessions.ts'
import { formatMoment } from '#shared/rules/london.ts'
import { plural } from '#shared/rules/plural.ts'
import { EndButton } from './end-button.tsx'
import { ownLoginsQuery } from './queries.ts'

const deviceOf = ({ device }: AdminSession) => device ?? 'A browser'
const lastSeenOf = ({ lastSeenAt, createdAt }: AdminSession) => lastSeenAt ?? createdAt

const columns: readonly Column<AdminSession>[] = [
  { label: 'Device', kind: 'who', cell: deviceOf, text: deviceOf },
  {
    label: 'Logged in',
    kind: 'date',
    cell: ({ createdAt }) => formatMoment(createdAt),
    text: ({ createdAt }) => createdAt,
  },
  {
    label: 'Last seen',
    kind: 'date',
    cell: (login) => (login.isCurrent ? 'Now' : formatMoment(lastSeenOf(login))),
    text: lastSeenOf,
  },
  {
    label: 'Ends',
    kind: 'date',
    cell: ({ expiresAt }) => formatMoment(expiresAt),
    text: ({ expiresAt }) => expiresAt,
  },
]

export function LoginsSection() {
  const query = useQuery(ownLoginsQuery('browser'))
  return (
    <div>
      <ShortList
        title="Where you’re logged in"
        isPart
        name="sign-ins"
        query={query}
        columns={columns}
        idOf={({ id }) => id}
        tools={<OthersButton />}
        actions={(login) =>
          login.isCurrent ? (
            <Badge tone="ok">This browser</Badge>
          ) : (
            <RevokeButton
              id={login.id}
              label="Log out"
              what={`${deviceOf(login)}, logged in ${formatMoment(login.createdAt)}`}
              title={`Log out ${deviceOf(login)}?`}
              done="Logged out"
            >
              It logged in on {formatMoment(login.createdAt)}. Anyone using it will have to log in again.
            </RevokeButton>
          )
        }
      />
    </div>
  )
}

function OthersButton() {
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  const action = useAdminAction({
    schema: RevokeSessionsResponse,
    send: () => api.api.admin.sessions.revoke.post({ others: true }),
    failure: 'We couldn’t log out the others.',
    done: ({ revoked }) => ({ title: `${plural(revoked, 'login')} ended` }),
    onDone: close,
  })
  return (
    <>
      <Button look="line" isSmall aria-haspopup="dialog" onClick={() => setOpen(true)}>
        Log out everywhere else
      </Button>
      <Dialog
        isOpen={isOpen}
        onClose={close}
        title="Log out everywhere else?"
        footer={
          <>
            <Button look="bad" isBusy={action.isPending} busyLabel="Logging out…" onClick={() => action.mutate()}>
              Log out everywhere else
            </Button>
            <KeepButton isBusy={action.isPending} onClick={close}>
              Stay logged in
            </KeepButton>
          </>
        }
      >
        <p>
          You’ll be logged out of every other browser and terminal straight away, and your tokens will stop working.
          This browser stays logged in.
        </p>
        {action.problem && <Banner tone="bad" role="alert" title={action.problem} />}
      </Dialog>
    </>
  )
}

type Props = {
  id: string
  label: string
  /** Names the login or token, to complete the button’s accessible name. */
  what: string
  title: string
  done: string
  children: ReactNode
}

/** API tokens are sessions too, so it revokes either. */
export function RevokeButton({ id, label, what, title, done, children }: Props) {
  return (
    <EndButton
      label={label}
      what={what}
      title={title}
      done={done}
      schema={RevokeSessionsResponse}
      send={() => api.api.admin.sessions.revoke.post({ id })}
    >
      {children}
    </EndButton>
  )
}
