import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { ConfirmDialog } from '#pwa/features/admin/confirm-dialog.tsx'
import type { Column } from '#pwa/features/admin/list/list-table-section.tsx'
import { ShortList } from '#pwa/features/admin/list/short-list-section.tsx'
import { momentOf } from '#pwa/features/admin/system/system-texts.ts'
import { useAdminAction } from '#pwa/features/admin/use-admin-action.ts'
import { api } from '#pwa/lib/api.ts'
import { Badge } from '#pwa/ui/badge.tsx'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { Dialog } from '#pwa/ui/dialog.tsx'
import { type AdminSession, RevokeSessionsResponse } from '#shared/contract/sessions.ts'
import { plural } from '#shared/rules/plural.ts'
import { ownLoginsQuery } from './queries.ts'

const deviceOf = ({ device }: AdminSession) => device ?? 'A browser'
const lastSeenOf = ({ lastSeenAt, createdAt }: AdminSession) => lastSeenAt ?? createdAt

const columns: readonly Column<AdminSession>[] = [
  { label: 'Device', kind: 'who', cell: deviceOf, text: deviceOf },
  {
    label: 'Signed in',
    kind: 'date',
    cell: ({ createdAt }) => momentOf(createdAt),
    text: ({ createdAt }) => createdAt,
  },
  { label: 'Last seen', kind: 'date', cell: (login) => momentOf(lastSeenOf(login)), text: lastSeenOf },
  {
    label: 'Ends',
    kind: 'date',
    cell: ({ expiresAt }) => momentOf(expiresAt),
    text: ({ expiresAt }) => expiresAt,
  },
]

/** The browsers in which this owner is signed in. */
export function LoginsSection() {
  const query = useQuery(ownLoginsQuery('browser'))
  return (
    <section aria-label="Where you are signed in">
      <ShortList
        title="Where you are signed in"
        isPart
        name="sign-ins"
        {...{ query, columns }}
        idOf={({ id }) => id}
        tools={<OthersButton />}
        actions={(login) =>
          login.isCurrent ? (
            <Badge tone="ok">This browser</Badge>
          ) : (
            <RevokeButton
              id={login.id}
              label="Sign out"
              what={`${deviceOf(login)}, signed in ${momentOf(login.createdAt)}`}
              title={`Sign out ${deviceOf(login)}?`}
              done="Signed out"
            >
              It was signed in on {momentOf(login.createdAt)}. Anyone using it will have to log in again.
            </RevokeButton>
          )
        }
      />
    </section>
  )
}

function OthersButton() {
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  const action = useAdminAction({
    schema: RevokeSessionsResponse,
    send: () => api.api.admin.sessions.revoke.post({ others: true }),
    failure: 'The others could not be signed out.',
    done: ({ revoked }) => ({ title: `${plural(revoked, 'login')} ended` }),
    onDone: close,
  })
  return (
    <>
      <Button look="line" isSmall aria-haspopup="dialog" onClick={() => setOpen(true)}>
        Sign out everywhere else
      </Button>
      <Dialog
        isOpen={isOpen}
        onClose={close}
        title="Sign out everywhere else?"
        footer={
          <>
            <Button look="bad" isBusy={action.isPending} busyLabel="Signing out…" onClick={() => action.mutate()}>
              Sign out everywhere else
            </Button>
            <Button look="line" onClick={close}>
              Stay signed in
            </Button>
          </>
        }
      >
        <p>
          You are logged out of every other browser and terminal at once, and your tokens stop working. This browser
          stays logged in.
        </p>
        {action.problem && <Banner tone="bad" role="alert" title={action.problem} />}
      </Dialog>
    </>
  )
}

type Props = {
  id: string
  /** What the button says, here and in the dialog. */
  label: string
  /** What is ended, for an owner who hears the button only. */
  what: string
  title: string
  done: string
  children: ReactNode
}

/** Asks before a login or a token is ended. */
export function RevokeButton({ id, label, what, title, done, children }: Props) {
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  const action = useAdminAction({
    schema: RevokeSessionsResponse,
    send: () => api.api.admin.sessions.revoke.post({ id }),
    failure: 'It could not be ended.',
    done: { title: done, description: what },
    onDone: close,
  })
  return (
    <>
      <Button look="line" isSmall aria-haspopup="dialog" aria-label={`${label}: ${what}`} onClick={() => setOpen(true)}>
        {label}
      </Button>
      {isOpen && (
        <ConfirmDialog
          {...{ title, action }}
          button={label}
          busy="Ending…"
          onConfirm={() => action.mutate()}
          onClose={close}
        >
          <p>{children}</p>
        </ConfirmDialog>
      )}
    </>
  )
}
