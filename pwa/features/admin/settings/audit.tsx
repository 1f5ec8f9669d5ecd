import { useQuery } from '@tanstack/react-query'
import * as v from 'valibot'
import { actionText, actorKind, actorText } from '#pwa/features/admin/kit/audit/audit-texts.ts'
import { detailText } from '#pwa/features/admin/kit/audit/detail-texts.ts'
import { setupQuery } from '#pwa/features/admin/kit/calendar/queries.ts'
import { ListSection } from '#pwa/features/admin/kit/list/list.tsx'
import type { Column } from '#pwa/features/admin/kit/list/list-table.tsx'
import { SearchForm } from '#pwa/features/admin/kit/list/search-form.tsx'
import { type ListDefinition, useListAddress } from '#pwa/features/admin/kit/list/use-list.ts'
import { MemberLink } from '#pwa/features/admin/kit/members/member-link.tsx'
import { requestListPage } from '#pwa/features/admin/kit/queries.ts'
import { useTierNames } from '#pwa/features/admin/kit/tiers/use-tier-names.ts'
import { api } from '#pwa/lib/api.ts'
import { DateField } from '#pwa/ui/date-field.tsx'
import { AuditEntry, AuditQuery } from '#shared/contract/audit.ts'
import { formatMoment } from '#shared/rules/london.ts'
import { auditFilters } from './subject-texts.ts'
import './settings.css'

const list: ListDefinition<AuditEntry> = {
  name: 'audit-log',
  request: ({ show, ...address }, { cursor, limit }) => {
    const read = v.safeParse(v.omit(AuditQuery, ['limit', 'cursor']), { ...address, what: show })
    const query = { ...(read.success ? read.output : {}), cursor, limit }
    return requestListPage(AuditEntry, api.api.admin.audit.get({ query }))
  },
  idOf: ({ id }) => id,
  refreshMs: 60_000,
}

const columnsOf = (nameOf: (id: string) => string): readonly Column<AuditEntry>[] => [
  {
    label: 'Who',
    kind: 'who',
    cell: (entry) => (
      <>
        {actorText(entry)}
        <small>{actorKind(entry)}</small>
      </>
    ),
    text: (entry) => [actorText(entry), actorKind(entry)].filter(Boolean).join(', '),
  },
  { label: 'When', kind: 'date', sort: 'at', cell: ({ at }) => formatMoment(at), text: ({ at }) => at },
  { label: 'What', cell: actionText, text: actionText },
  {
    label: 'Member',
    cell: ({ target }) => target && <MemberLink id={target.id}>{target.name}</MemberLink>,
    text: ({ target }) => target?.name ?? '',
  },
  {
    label: 'Detail',
    cell: (entry) => {
      const text = detailText(entry, nameOf)
      return text && <span className="audit__detail">{text}</span>
    },
    text: (entry) => detailText(entry, nameOf),
  },
]

export default function AuditSection() {
  const tierName = useTierNames()
  const coaches = useQuery(setupQuery).data?.coaches
  const columns = columnsOf((id) => coaches?.find((coach) => coach.id === id)?.name ?? tierName(id))
  return (
    <ListSection
      title="Audit log"
      list={list}
      columns={columns}
      searchLabel="Find who did it"
      filters={auditFilters}
      defaultSort="-at"
      empty={{ title: 'Nothing yet', text: 'Everything owners, members and the site do shows up here.' }}
      before={
        <>
          <AuditBar />
          <p className="panel__note">
            To protect privacy, we show six characters instead of an IP address or an unknown email. Same six, same
            address.
          </p>
        </>
      }
    />
  )
}

function AuditBar() {
  const { address, change } = useListAddress()
  return (
    <div className="auditbar">
      <SearchForm isFilter label="Member affected" q={address.member} onChange={({ q }) => change({ member: q })} />
      <DateField
        label="From"
        missingYear="last"
        value={address.from ?? ''}
        max={address.to}
        onSettle={(day) => change({ from: day })}
      />
      <DateField
        label="To"
        missingYear="last"
        value={address.to ?? ''}
        min={address.from}
        onSettle={(day) => change({ to: day })}
      />
    </div>
  )
}
