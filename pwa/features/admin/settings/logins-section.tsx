import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ListState } from '#pwa/features/admin/list/list-section.tsx'
import { momentOf } from '#pwa/features/admin/system/system-texts.ts'
import { useAdminAction } from '#pwa/features/admin/use-admin-action.ts'
import { api } from '#pwa/lib/api.ts'
import { Badge } from '#pwa/ui/badge.tsx'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { Dialog } from '#pwa/ui/dialog.tsx'
import { Skeleton } from '#pwa/ui/skeleton.tsx'
import { Cell, Row, Table } from '#pwa/ui/table.tsx'
import { type AdminSession, RevokeSessionsResponse } from '#shared/contract/sessions.ts'
import { plural } from '#shared/rules/plural.ts'
import { ownLoginsQuery } from './queries.ts'
import { RevokeButton } from './revoke-dialog.tsx'

/** The browsers in which this owner is signed in. */
export function LoginsSection() {
  const { data, error, dataUpdatedAt, isFetching, refetch } = useQuery(ownLoginsQuery('browser'))
  return (
    <section aria-label="Where you are signed in">
      <div className="panel__top">
        <h3>Where you are signed in</h3>
        <OthersButton />
      </div>
      <ListState {...{ error, dataUpdatedAt, isFetching, refetch }} />
      {data ? <Logins logins={data} /> : error === null && <Skeleton size="block" />}
    </section>
  )
}

const deviceOf = ({ device }: AdminSession) => device ?? 'A browser'

const Logins = ({ logins }: { logins: readonly AdminSession[] }) => (
  <Table caption="Where you are signed in" isStacked>
    <thead>
      <tr>
        <th scope="col">Device</th>
        <th scope="col">Signed in</th>
        <th scope="col">Last seen</th>
        <th scope="col">Ends</th>
        <th scope="col" className="n">
          Actions
        </th>
      </tr>
    </thead>
    <tbody>
      {logins.map((login) => (
        <Row key={login.id}>
          <Cell kind="who">{deviceOf(login)}</Cell>
          <Cell label="Signed in" kind="date">
            {momentOf(login.createdAt)}
          </Cell>
          <Cell label="Last seen" kind="date">
            {momentOf(login.lastSeenAt ?? login.createdAt)}
          </Cell>
          <Cell label="Ends" kind="date">
            {momentOf(login.expiresAt)}
          </Cell>
          <Cell>
            <div className="acts">
              {login.isCurrent ? (
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
              )}
            </div>
          </Cell>
        </Row>
      ))}
    </tbody>
  </Table>
)

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
