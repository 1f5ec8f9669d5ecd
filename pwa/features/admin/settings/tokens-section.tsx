import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ListState } from '#pwa/features/admin/list/list-section.tsx'
import { momentOf } from '#pwa/features/admin/system/system-texts.ts'
import { Button } from '#pwa/ui/button.tsx'
import { EmptyState } from '#pwa/ui/empty-state.tsx'
import { Skeleton } from '#pwa/ui/skeleton.tsx'
import { Cell, Row, Table } from '#pwa/ui/table.tsx'
import type { AdminSession } from '#shared/contract/sessions.ts'
import { ownLoginsQuery } from './queries.ts'
import { RevokeButton } from './revoke-dialog.tsx'
import { TokenDialog } from './token-form.tsx'

/** What acts for this owner without a browser: the terminal's logins, and tokens made here. */
export function TokensSection() {
  const { data, error, dataUpdatedAt, isFetching, refetch } = useQuery(ownLoginsQuery('terminal'))
  const [isOpen, setOpen] = useState(false)
  return (
    <section aria-label="API tokens">
      <div className="panel__top">
        <h3>API tokens</h3>
        <Button look="line" isSmall icon="pencil" aria-haspopup="dialog" onClick={() => setOpen(true)}>
          New token
        </Button>
      </div>
      <ListState {...{ error, dataUpdatedAt, isFetching, refetch }} />
      {data === undefined ? (
        error === null && <Skeleton size="block" />
      ) : data.length > 0 ? (
        <Tokens tokens={data} />
      ) : (
        <EmptyState title="No tokens">
          A token is a password for a program, such as a nightly script on your own computer.
        </EmptyState>
      )}
      {isOpen && <TokenDialog onClose={() => setOpen(false)} />}
    </section>
  )
}

export const scopesText = (scopes: AdminSession['scopes']) =>
  scopes?.includes('write') ? (scopes.includes('read') ? 'Reads and changes' : 'Changes only') : 'Reads only'

const Tokens = ({ tokens }: { tokens: readonly AdminSession[] }) => (
  <Table caption="API tokens" isStacked>
    <thead>
      <tr>
        <th scope="col">Name</th>
        <th scope="col">May</th>
        <th scope="col">Made</th>
        <th scope="col">Ends</th>
        <th scope="col" className="n">
          Actions
        </th>
      </tr>
    </thead>
    <tbody>
      {tokens.map(({ id, name, scopes, createdAt, expiresAt }) => (
        <Row key={id}>
          <Cell kind="who">{name}</Cell>
          <Cell label="May">{scopesText(scopes)}</Cell>
          <Cell label="Made" kind="date">
            {momentOf(createdAt)}
          </Cell>
          <Cell label="Ends" kind="date">
            {momentOf(expiresAt)}
          </Cell>
          <Cell>
            <div className="acts">
              <RevokeButton id={id} label="Revoke" what={name ?? ''} title={`Revoke “${name}”?`} done="Token revoked">
                Any program that uses it stops working at once. This cannot be undone, but you can make another.
              </RevokeButton>
            </div>
          </Cell>
        </Row>
      ))}
    </tbody>
  </Table>
)
