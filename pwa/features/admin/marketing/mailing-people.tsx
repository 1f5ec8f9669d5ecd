import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { ListSection } from '#pwa/features/admin/kit/list/list.tsx'
import type { Column } from '#pwa/features/admin/kit/list/list-table.tsx'
import { MemberLink } from '#pwa/features/admin/kit/members/member-link.tsx'
import { adminKey } from '#pwa/features/admin/kit/queries.ts'
import { type TierName, useTierNames } from '#pwa/features/admin/kit/tiers/use-tier-names.ts'
import { Badge } from '#pwa/ui/badge.tsx'
import { Button } from '#pwa/ui/button.tsx'
import type { AudiencePerson, Mailing, MailingRecipient } from '#shared/contract/mailing.ts'
import { formatMoment } from '#shared/rules/london.ts'
import { leftOutLabels, recipientLabels, whyText } from './mailing-texts.ts'
import { audienceList, recipientList, type Wanted } from './queries.ts'

const getsText = ({ leftOut }: AudiencePerson) => (leftOut === null ? 'Yes' : `No: ${leftOutLabels[leftOut]}`)

const audienceColumns = (nameOf: TierName): readonly Column<AudiencePerson>[] => [
  {
    label: 'Who',
    kind: 'who',
    cell: ({ id, name, email }) => (
      <>
        <MemberLink id={id}>{name}</MemberLink>
        <small>{email}</small>
      </>
    ),
    text: ({ name, email }) => `${name} <${email}>`,
  },
  { label: 'Why', cell: (row) => whyText(row, nameOf), text: (row) => whyText(row, nameOf) },
  {
    label: 'Gets it',
    cell: (row) => <Badge tone={row.leftOut === null ? 'ok' : 'open'}>{getsText(row)}</Badge>,
    text: getsText,
  },
]

type AudienceProps = Wanted & { onPreview: (member: { id: string; name: string }) => void }

/** Everyone in the segment, why they’re in it, and whether they’d get the email. */
export function AudienceSection({ segment, purpose, onPreview }: AudienceProps) {
  const tierName = useTierNames()
  const columns = useMemo(() => audienceColumns(tierName), [tierName])
  const list = useMemo(() => audienceList({ segment, purpose }), [segment, purpose])
  return (
    <ListSection
      title="Audience"
      list={list}
      columns={columns}
      fixedAddress={{}}
      empty={{ title: 'No one', text: 'This audience is empty. Edit the campaign to pick another.' }}
      actions={(row) => (
        <Button look="line" isSmall aria-label={`Preview as ${row.name}`} onClick={() => onPreview(row)}>
          Preview
        </Button>
      )}
    />
  )
}

const isReason = (why: string): why is keyof typeof leftOutLabels => why in leftOutLabels
const whyNot = (why: string | null) => (why === null ? '' : isReason(why) ? leftOutLabels[why] : why)

const recipientColumns: readonly Column<MailingRecipient>[] = [
  {
    label: 'Who',
    kind: 'who',
    cell: ({ id, name, email }) => (
      <>
        <MemberLink id={id}>{name}</MemberLink>
        <small>{email}</small>
      </>
    ),
    text: ({ name, email }) => `${name} <${email}>`,
  },
  {
    label: 'State',
    cell: ({ status }) => (
      <Badge tone={status === 'arrived' ? 'ok' : status === 'refused' || status === 'failed' ? 'bad' : 'open'}>
        {recipientLabels[status]}
      </Badge>
    ),
    text: ({ status }) => recipientLabels[status],
  },
  { label: 'Why', cell: ({ why }) => whyNot(why), text: ({ why }) => whyNot(why) },
  { label: 'When', kind: 'date', cell: ({ at }) => at && formatMoment(at), text: ({ at }) => at ?? '' },
]

const filters = [['', 'All'] as const, ...Object.entries(recipientLabels)]

/** `report`: how many have got it so far. The list is read again with each of them, so that the two say the same. */
export function RecipientsSection({ id, report }: { id: string; report: Mailing['report'] }) {
  const list = useMemo(() => recipientList(id), [id])
  const client = useQueryClient()
  const told = JSON.stringify(report)
  useEffect(() => {
    if (told) void client.invalidateQueries({ queryKey: [adminKey, 'list', list.name] }, { cancelRefetch: false })
  }, [client, list, told])
  return (
    <ListSection
      title="Who it went to"
      list={list}
      filters={filters}
      columns={recipientColumns}
      empty={{ title: 'No one' }}
    />
  )
}
