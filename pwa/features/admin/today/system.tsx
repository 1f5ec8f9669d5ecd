import { lazy } from 'react'
import { RunJob } from '#pwa/features/admin/kit/jobs/run-job.tsx'
import { mailStopTexts, purposeOf } from '#pwa/features/admin/kit/jobs/system-texts.ts'
import { type Act, DayPart, DayRow, PlaceLink } from '#pwa/features/admin/kit/part.tsx'
import { loadFile } from '#pwa/lib/load-file.ts'
import { ButtonLink } from '#pwa/ui/button.tsx'
import type { Today } from '#shared/contract/today.ts'
import { findingText, jobProblemText, mailTexts } from './system-texts.ts'

const ResendDialog = lazy(() =>
  loadFile(() => import('./entry-dialogs.tsx')).then((file) => ({ default: file.ResendDialog })),
)

const InvoiceFixDialog = lazy(() =>
  loadFile(() => import('#pwa/features/admin/kit/members/invoice-fix-dialog.tsx')).then((file) => ({
    default: file.InvoiceFixDialog,
  })),
)

const PutOffDialog = lazy(() =>
  loadFile(() => import('#pwa/features/admin/kit/members/put-off-dialog.tsx')).then((file) => ({
    default: file.PutOffDialog,
  })),
)

/** Separate from the rest of Today, because most days it’s empty. */
export default function SystemParts({ mail, jobs, findings }: Pick<Today, 'mail' | 'jobs' | 'findings'>) {
  return (
    <>
      <MailPart {...mail} />
      <JobsPart jobs={jobs} />
      <FindingsPart findings={findings} />
    </>
  )
}

const MailPart = ({ late, refused, failed, stopped, rows }: Today['mail']) => (
  <DayPart
    title="Email"
    count={refused + failed + late + (stopped === null ? 0 : 1)}
    tone="bad"
    all={
      <>
        {late > 0 && (
          <PlaceLink place="mail" search={{ show: 'waiting' }}>
            {mailTexts.late(late)}
          </PlaceLink>
        )}
        {refused > 0 && (
          <PlaceLink place="mail" search={{ show: 'refused' }}>
            {mailTexts.refused(refused)}
          </PlaceLink>
        )}
        {failed > 0 && (
          <PlaceLink place="mail" search={{ show: 'failed' }}>
            {mailTexts.failed(failed)}
          </PlaceLink>
        )}
      </>
    }
  >
    {stopped && (
      <DayRow
        title={mailStopTexts.title}
        target={{ place: 'mail', search: { show: 'waiting' } }}
        host={<p>{mailStopTexts.server(stopped)}</p>}
      >
        {mailStopTexts.advice(stopped)}
      </DayRow>
    )}
    {rows.map((mail) => (
      <DayRow
        key={mail.id}
        title={mail.to}
        target={
          mail.memberId === null
            ? { place: 'mail', search: { q: mail.to, show: 'refused' } }
            : { memberId: mail.memberId }
        }
        acts={[{ label: 'Send again', dialog: (onClose) => <ResendDialog mail={mail} onClose={onClose} /> }]}
        host={mail.lastError && <p>{mail.lastError}</p>}
      >
        “{mail.subject}” bounced. Check the address, then send it again.
      </DayRow>
    ))}
  </DayPart>
)

const JobsPart = ({ jobs }: Pick<Today, 'jobs'>) => (
  <DayPart title="Jobs" count={jobs.length} tone="bad">
    {jobs.map((job) => (
      <DayRow
        key={job.name}
        title={purposeOf(job)}
        target={{ place: 'jobs' }}
        aside={
          job.problem !== 'locked' && (
            <span className="acts">
              <RunJob job={job} label="Run it now" name={`Run it now: ${purposeOf(job)}`} />
            </span>
          )
        }
        host={<p>Job: {job.name}. See: alliance jobs list</p>}
      >
        {jobProblemText(job)}
      </DayRow>
    ))}
  </DayPart>
)

const FindingsPart = ({ findings }: Pick<Today, 'findings'>) => (
  <DayPart title="Things to fix" count={findings.length} tone="bad">
    {findings.map((finding) => (
      <FindingRow key={`${finding.check} ${finding.message} ${finding.member?.id}`} finding={finding} />
    ))}
  </DayPart>
)

function FindingRow({ finding: { check, message, member, renewsOn } }: { finding: Today['findings'][number] }) {
  const { title, isPlain, advice, target, run, host } = findingText({ check })
  const acts: Act[] = [
    ...(check === 'VAT invoices'
      ? [{ label: 'Fix invoices', dialog: (onClose: () => void) => <InvoiceFixDialog onClose={onClose} /> }]
      : []),
    ...(member && renewsOn
      ? [
          {
            label: 'Put off renewal',
            dialog: (onClose: () => void) => (
              <PutOffDialog memberId={member.id} name={member.name} renewsOn={renewsOn} onClose={onClose} />
            ),
          },
        ]
      : []),
  ]
  return (
    <DayRow
      title={member?.name ?? title}
      target={member ? { memberId: member.id } : target}
      aside={
        (run || member) && (
          <span className="acts">
            {run && <RunJob job={{ name: run.job }} label={run.label} />}
            {member && <RecordLink {...member} />}
          </span>
        )
      }
      acts={acts}
      host={!isPlain && <p>{[message, host].filter(Boolean).join(' ')}</p>}
    >
      {isPlain ? [message, advice].filter(Boolean).join(' ') : advice}
    </DayRow>
  )
}

const RecordLink = ({ id, name }: { id: string; name: string }) => (
  <ButtonLink
    to="/admin/members/$memberId"
    params={{ memberId: id }}
    look="line"
    isSmall
    aria-label={`Open record: ${name}`}
  >
    Open record
  </ButtonLink>
)
