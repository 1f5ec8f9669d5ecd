import { useQuery } from '@tanstack/react-query'
import { type SyntheticEvent, useEffect, useRef, useState } from 'react'
import { ConfirmDialog } from '#pwa/features/admin/kit/forms/confirm-dialog.tsx'
import { ListState } from '#pwa/features/admin/kit/list/list.tsx'
import { useTierNames } from '#pwa/features/admin/kit/tiers/use-tier-names.ts'
import { useAdminAction } from '#pwa/features/admin/kit/use-admin-action.ts'
import { api } from '#pwa/lib/api.ts'
import { newKey } from '#pwa/lib/new-key.ts'
import { RequestError } from '#pwa/lib/request-error.ts'
import { Badge } from '#pwa/ui/badge.tsx'
import { Button, ButtonLink } from '#pwa/ui/button.tsx'
import { EmptyState } from '#pwa/ui/empty-state.tsx'
import { Skeleton } from '#pwa/ui/skeleton.tsx'
import { Done } from '#shared/contract/auth.ts'
import { Mailing } from '#shared/contract/mailing.ts'
import { formatMoment } from '#shared/rules/london.ts'
import { plural } from '#shared/rules/plural.ts'
import { AudienceLine, MailingDialog } from './mailing-form.tsx'
import { AudienceSection, RecipientsSection } from './mailing-people.tsx'
import { SendDialog, savedAdvice } from './mailing-send.tsx'
import { purposeLines, reportText, segmentText, statusLabels, statusTones } from './mailing-texts.ts'
import { mailingQuery } from './queries.ts'

type Search = Record<string, unknown>
const withoutMailing = ({ mailing: _, show: __, ...others }: Search): Search => others

const toList = (
  <ButtonLink look="line" isSmall to="." search={withoutMailing}>
    All campaigns
  </ButtonLink>
)

export function MailingScreen({ id }: { id: string }) {
  const { data, error, dataUpdatedAt, isFetching, refetch } = useQuery(mailingQuery(id))
  if (error instanceof RequestError && error.code === 'not_found')
    return (
      <EmptyState title="We can’t find that campaign" action={toList}>
        It may have been deleted.
      </EmptyState>
    )
  return (
    <>
      <ListState error={error} dataUpdatedAt={dataUpdatedAt} isFetching={isFetching} refetch={refetch} />
      {data ? <Shown mailing={data} /> : error === null && <Skeleton size="block" />}
    </>
  )
}

function Shown({ mailing }: { mailing: Mailing }) {
  const tierName = useTierNames()
  const [member, setMember] = useState<{ id: string; name: string } | null>(null)
  const { status, subject, segment, purpose, perMinute, report, sendAt, startedAt, finishedAt } = mailing
  const isStillHere = status === 'draft' || status === 'scheduled'
  return (
    <div className="outreach__mailing">
      <div className="panel__top">
        <h2>{subject}</h2>
        <Badge tone={statusTones[status]}>{statusLabels[status]}</Badge>
        {toList}
      </div>
      <p className="panel__note">
        {`To ${segmentText(segment, tierName).replace(/^./, (letter) => letter.toLowerCase())}. ${purposeLines[purpose]}. At most ${plural(perMinute, 'email')} a minute.`}
      </p>
      {sendAt && <p className="panel__note">Goes out on {formatMoment(sendAt)}. We’ll count who gets it then.</p>}
      {isStillHere && <AudienceLine wanted={{ segment, purpose }} advice={savedAdvice} />}
      {report && (
        <p className="outreach__count" role="status">
          {reportText(report)}.{startedAt && ` Started ${formatMoment(startedAt)}.`}
          {finishedAt && ` Ended ${formatMoment(finishedAt)}.`}
        </p>
      )}
      {isStillHere ? <DraftActions mailing={mailing} member={member} /> : <SteerActions mailing={mailing} />}
      <Preview mailing={mailing} member={member} />
      {isStillHere ? (
        <AudienceSection segment={segment} purpose={purpose} onPreview={(person) => setMember({ ...person })} />
      ) : (
        <RecipientsSection id={mailing.id} report={report} />
      )}
    </div>
  )
}

type PreviewProps = { mailing: Mailing; member: { id: string; name: string } | null }

/** Brought into sight for each person asked for, and as tall as their email. */
function Preview({ mailing: { id, version }, member }: PreviewProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const [height, setHeight] = useState<number>()
  const as = member ? `&member=${member.id}` : ''
  useEffect(() => {
    if (member === null) return
    heading.current?.focus({ preventScroll: true })
    heading.current?.scrollIntoView({ block: 'start' })
  }, [member])
  const grow = ({ currentTarget: iframe }: SyntheticEvent<HTMLIFrameElement>) => {
    const page = iframe.contentDocument?.documentElement
    if (page) setHeight(page.scrollHeight + iframe.offsetHeight - iframe.clientHeight)
  }
  return (
    <section className="outreach__preview-mail" aria-label="Preview">
      <h3 ref={heading} tabIndex={-1}>
        {member ? `As ${member.name} gets it` : 'Preview'}
      </h3>
      <iframe
        title="The email"
        src={`/api/admin/mailings/${id}/preview?v=${version}${as}`}
        sandbox="allow-same-origin"
        style={{ height }}
        onLoad={grow}
      />
    </section>
  )
}

function DraftActions({ mailing, member }: PreviewProps) {
  const [open, setOpen] = useState<'edit' | 'send' | null>(null)
  const [wish, setWish] = useState(newKey)
  const isScheduled = mailing.status === 'scheduled'
  const cancel = useAdminAction({
    schema: Mailing,
    send: () => api.api.admin.mailings({ id: mailing.id }).unschedule.post({}),
    failure: 'We couldn’t cancel it.',
    done: { title: 'It’s a draft again', description: 'It won’t go out until you send it.' },
  })
  const test = useAdminAction({
    schema: Done,
    send: () =>
      api.api.admin.mailings({ id: mailing.id }).test.post({ wish, ...(member ? { member: member.id } : {}) }),
    failure: 'We couldn’t send the test.',
    done: { title: 'Test on its way to you' },
    onDone: () => setWish(newKey()),
  })
  const close = () => setOpen(null)
  return (
    <>
      <div className="acts">
        <Button aria-haspopup="dialog" onClick={() => setOpen('send')}>
          {isScheduled ? 'Change when…' : 'Send…'}
        </Button>
        {isScheduled ? (
          <Button look="line" isBusy={cancel.isPending} busyLabel="Cancelling…" onClick={() => cancel.mutate()}>
            Cancel sending
          </Button>
        ) : (
          <Button look="line" aria-haspopup="dialog" onClick={() => setOpen('edit')}>
            Edit
          </Button>
        )}
        <Button look="line" isBusy={test.isPending} busyLabel="Sending…" onClick={() => test.mutate()}>
          Send me a test
        </Button>
      </div>
      {[test.problem, cancel.problem].map(
        (problem) =>
          problem && (
            <p key={problem} role="alert">
              {problem}
            </p>
          ),
      )}
      {open === 'edit' && <MailingDialog row={mailing} onClose={close} onSaved={close} />}
      {open === 'send' && <SendDialog mailing={mailing} onClose={close} />}
    </>
  )
}

function SteerActions({ mailing: { id, status } }: { mailing: Mailing }) {
  const [isStopping, setStopping] = useState(false)
  const calls = api.api.admin.mailings({ id })
  const hold = useAdminAction({
    schema: Mailing,
    send: () => (status === 'paused' ? calls.resume.post({}) : calls.pause.post({})),
    failure: 'We couldn’t pause or resume the campaign.',
    done: (now) => ({ title: now.status === 'paused' ? 'Campaign paused' : 'Campaign resumed' }),
  })
  const stop = useAdminAction({
    schema: Mailing,
    send: () => calls.stop.post({}),
    failure: 'We couldn’t stop the campaign.',
    done: { title: 'Campaign stopped' },
    onDone: () => setStopping(false),
  })
  if (status !== 'sending' && status !== 'paused') return null
  return (
    <div className="acts">
      <Button look="line" isBusy={hold.isPending} onClick={() => hold.mutate()}>
        {status === 'paused' ? 'Resume' : 'Pause'}
      </Button>
      <Button look="bad" aria-haspopup="dialog" onClick={() => setStopping(true)}>
        Stop…
      </Button>
      {hold.problem && <p role="alert">{hold.problem}</p>}
      {isStopping && (
        <ConfirmDialog
          title="Stop this campaign for good?"
          button="Stop campaign"
          busy="Stopping…"
          keep="Keep sending"
          action={stop}
          onConfirm={() => stop.mutate()}
          onClose={() => setStopping(false)}
        >
          <p>No one else will get it. Once an email’s gone, you can’t get it back.</p>
        </ConfirmDialog>
      )}
    </div>
  )
}
