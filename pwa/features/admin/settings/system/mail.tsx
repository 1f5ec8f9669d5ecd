import { queryOptions, useQuery } from '@tanstack/react-query'
import * as v from 'valibot'
import { mailStatusLabels, mailStopTexts, mailTones } from '#pwa/features/admin/kit/jobs/system-texts.ts'
import { BulkMark } from '#pwa/features/admin/kit/list/bulk.tsx'
import { ListSection } from '#pwa/features/admin/kit/list/list.tsx'
import type { Column } from '#pwa/features/admin/kit/list/list-table.tsx'
import type { Chosen, ListDefinition } from '#pwa/features/admin/kit/list/use-list.ts'
import { MemberLink } from '#pwa/features/admin/kit/members/member-link.tsx'
import { adminKey, requestListPage } from '#pwa/features/admin/kit/queries.ts'
import { useAdminAction } from '#pwa/features/admin/kit/use-admin-action.ts'
import { api, parseResponse } from '#pwa/lib/api.ts'
import { messageOf } from '#pwa/lib/request-error.ts'
import { Badge } from '#pwa/ui/badge.tsx'
import { Banner } from '#pwa/ui/banner.tsx'
import { IconButton } from '#pwa/ui/button.tsx'
import { useToast } from '#pwa/ui/toast.tsx'
import { AdminMail, AdminMailQuery, MailStopped, mailStatuses } from '#shared/contract/mail.ts'
import { formatMoment } from '#shared/rules/london.ts'
import { plural } from '#shared/rules/plural.ts'
import { StopButton, StoppedSection } from './stopped.tsx'
import '#pwa/features/admin/kit/members/member-page.css'

const MailAddress = v.pick(AdminMailQuery, ['q', 'sort', 'status'])

const list: ListDefinition<AdminMail> = {
  isOfPeople: true,
  name: 'mail',
  request: ({ show, ...address }, page) => {
    const read = v.safeParse(MailAddress, { ...address, status: show })
    return requestListPage(
      AdminMail,
      api.api.admin.mail.get({ query: { ...(read.success ? read.output : {}), ...page } }),
    )
  },
  idOf: ({ id }) => id,
  refreshMs: 30_000,
}

const sentText = ({ nextAttemptAt, sentAt }: AdminMail) =>
  sentAt ? formatMoment(sentAt) : nextAttemptAt ? `Not yet. Next try ${formatMoment(nextAttemptAt)}` : ''

const columns: readonly Column<AdminMail>[] = [
  {
    label: 'To',
    sort: 'to',
    kind: 'who',
    cell: ({ to, memberId, subject }) => (
      <>
        <MemberLink id={memberId}>{to}</MemberLink>
        <small>{subject}</small>
      </>
    ),
    text: ({ to, subject }) => `${to}: ${subject}`,
  },
  {
    label: 'Written',
    sort: 'queued',
    kind: 'date',
    cell: ({ createdAt }) => formatMoment(createdAt),
    text: ({ createdAt }) => createdAt,
  },
  {
    label: 'State',
    cell: ({ status }) => <Badge tone={mailTones[status]}>{mailStatusLabels[status]}</Badge>,
    text: ({ status }) => mailStatusLabels[status],
  },
  { label: 'Sent', cell: sentText, text: sentText },
  { label: 'What the mail server said', cell: ({ lastError }) => lastError, text: ({ lastError }) => lastError ?? '' },
]

const filters = [['', 'All'], ...mailStatuses.map((status) => [status, mailStatusLabels[status]] as const)] as const

/** Leaves out the emails’ text, which may hold a one-time link. */
export default function MailSection() {
  return (
    <>
      <StopBanner />
      <ListSection
        title="Email"
        list={list}
        columns={columns}
        filters={filters}
        searchLabel="Find by address or subject"
        defaultSort="-queued"
        empty={{ title: 'No emails yet', text: 'Every email to a member or visitor shows up here.' }}
        bulk={{ nameOf, actions: (chosen) => <ResendChosen chosen={chosen} /> }}
        actions={(mail) => (
          <>
            {mail.canResend && <ResendButton mail={mail} />}
            {(mail.status === 'refused' || mail.status === 'failed') && <StopButton email={mail.to} />}
          </>
        )}
      />
      <StoppedSection />
    </>
  )
}

const stopQuery = queryOptions({
  queryKey: [adminKey, 'mail-stop'],
  queryFn: () => parseResponse(MailStopped, api.api.admin['mail-stop'].get()),
  staleTime: 0,
  refetchInterval: 30_000,
  refetchOnReconnect: true,
})

function StopBanner() {
  const stop = useQuery(stopQuery).data?.stop
  return stop ? (
    <Banner tone="bad" role="status" title={mailStopTexts.title}>
      {`${mailStopTexts.advice(stop)} ${mailStopTexts.server(stop)}`}
    </Banner>
  ) : null
}

const nameOf = ({ subject, to }: AdminMail) => `“${subject}” to ${to}`

/** Skips emails that were sent, or that hold a one-time link. */
const ResendChosen = ({ chosen }: { chosen: Chosen<AdminMail> }) => (
  <BulkMark
    chosen={chosen}
    rows={chosen.rows.filter(({ canResend }) => canResend)}
    nameOf={nameOf}
    label="Send again"
    title={(count) => `Send ${plural(count, 'email')} again?`}
    choices={[['again', 'Again']]}
    hint="Sent emails, and ones with a one-time link, are left out."
    send={({ id }) => parseResponse(AdminMail, api.api.admin.mail({ mailId: id }).resend.post())}
    done={(count) => `${plural(count, 'email')} on the way again`}
  />
)

function ResendButton({ mail: { id, subject, to } }: { mail: AdminMail }) {
  const toast = useToast()
  const failure = 'We couldn’t resend the email.'
  const action = useAdminAction({
    schema: AdminMail,
    send: () => api.api.admin.mail({ mailId: id }).resend.post(),
    failure,
    done: { title: 'Sent again', description: `${subject}, to ${to}` },
    onFailure: (error) => toast({ title: 'Error', description: messageOf(error, failure), tone: 'bad' }),
  })
  return (
    <IconButton
      icon="sync"
      label={`Send “${subject}” to ${to} again`}
      aria-busy={action.isPending || undefined}
      onClick={() => action.isPending || action.mutate()}
    />
  )
}
