import { useMemo, useState } from 'react'
import { ListSection } from '#pwa/features/admin/kit/list/list.tsx'
import type { Column } from '#pwa/features/admin/kit/list/list-table.tsx'
import { MemberLink } from '#pwa/features/admin/kit/members/member-link.tsx'
import { Badge, type BadgeTone } from '#pwa/ui/badge.tsx'
import { SelectField } from '#pwa/ui/field.tsx'
import type { AdminVideo, VideoViewer } from '#shared/contract/admin-video.ts'
import { formatLongDate } from '#shared/rules/london.ts'
import { formatPosition } from '#shared/rules/video.ts'
import { viewersList } from './queries.ts'

const stateLabels: Record<VideoViewer['state'], string> = { done: 'Completed', begun: 'Started', open: 'Not yet' }
const stateTones: Record<VideoViewer['state'], BadgeTone> = { done: 'ok', begun: 'open', open: 'plain' }

const whenText = ({ state, completedAt, seconds, lastAt }: VideoViewer): string =>
  state === 'done' && completedAt
    ? formatLongDate(completedAt)
    : state === 'begun' && lastAt
      ? `stopped at ${formatPosition(seconds ?? 0)}, ${formatLongDate(lastAt)}`
      : ''

const columns: readonly Column<VideoViewer>[] = [
  {
    label: 'Member',
    kind: 'who',
    cell: ({ id, name, email }) => (
      <>
        <MemberLink id={id}>{name || email}</MemberLink>
        {name && <small>{email}</small>}
      </>
    ),
    text: ({ name, email }) => `${name} <${email}>`.trim(),
  },
  {
    label: 'State',
    cell: ({ state }) => <Badge tone={stateTones[state]}>{stateLabels[state]}</Badge>,
    text: ({ state }) => stateLabels[state],
  },
  { label: 'When', cell: whenText, text: whenText },
]

export default function ViewersSection({ video }: { video: AdminVideo }) {
  const [show, setShow] = useState('')
  const list = useMemo(() => viewersList(video.id), [video.id])
  return (
    <ListSection
      title="Who has seen it"
      list={list}
      columns={columns}
      fixedAddress={show === '' ? {} : { show }}
      tools={
        <SelectField label="Show" value={show} onChange={({ target }) => setShow(target.value)}>
          <option value="">Everyone</option>
          {(['done', 'begun', 'open'] as const).map((state) => (
            <option key={state} value={state}>
              {stateLabels[state]}
            </option>
          ))}
        </SelectField>
      }
      empty={{ title: 'No one can see it yet', text: 'Members of its tiers show up here.' }}
    />
  )
}
