import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Column } from '#pwa/features/admin/kit/list/list-table.tsx'
import { ShortList } from '#pwa/features/admin/kit/list/short-list.tsx'
import { Button } from '#pwa/ui/button.tsx'
import type { AdminSession } from '#shared/contract/sessions.ts'
import { formatMoment } from '#shared/rules/london.ts'
import { RevokeButton } from './logins.tsx'
import { ownLoginsQuery } from './queries.ts'
import { TokenDialog } from './token-form.tsx'
import './settings.css'

export function scopesText(scopes: AdminSession['scopes']): string {
  const files = scopes?.includes('files') ? ', and the accountant’s files' : ''
  if (scopes?.includes('write') !== true) return files === '' ? 'Reads only' : `Reads${files}`
  return `${scopes.includes('read') ? 'Reads and changes' : 'Changes only'}${files}`
}

const columns: readonly Column<AdminSession>[] = [
  { label: 'Name', kind: 'who', cell: ({ name }) => name, text: ({ name }) => name ?? '' },
  { label: 'May', cell: ({ scopes }) => scopesText(scopes), text: ({ scopes }) => scopesText(scopes) },
  {
    label: 'Made',
    kind: 'date',
    cell: ({ createdAt }) => formatMoment(createdAt),
    text: ({ createdAt }) => createdAt,
  },
  {
    label: 'Ends',
    kind: 'date',
    cell: ({ expiresAt }) => formatMoment(expiresAt),
    text: ({ expiresAt }) => expiresAt,
  },
]

export default function TokensSection() {
  const query = useQuery(ownLoginsQuery('terminal'))
  const [isOpen, setOpen] = useState(false)
  return (
    <section aria-label="API tokens">
      <ShortList
        title="API tokens"
        name="tokens"
        query={query}
        columns={columns}
        idOf={({ id }) => id}
        tools={
          <Button look="line" isSmall icon="pencil" aria-haspopup="dialog" onClick={() => setOpen(true)}>
            New token
          </Button>
        }
        empty={{
          title: 'No tokens',
          text: 'A token is a password for a program, such as a nightly script on your own computer.',
        }}
        actions={({ id, name }) => (
          <RevokeButton id={id} label="Revoke" what={name ?? ''} title={`Revoke “${name}”?`} done="Token revoked">
            Any program using it stops working straight away. This cannot be undone, but you can make another.
          </RevokeButton>
        )}
      />
      {isOpen && <TokenDialog onClose={() => setOpen(false)} />}
    </section>
  )
}
