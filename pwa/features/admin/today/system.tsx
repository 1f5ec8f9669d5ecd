import { RunJob } from '#pwa/features/admin/settings/system/run-job.tsx'
import { purposeOf } from '#pwa/features/admin/settings/system/system-texts.ts'
import type { Today } from '#shared/contract/today.ts'
import { DayPart, DayRow, PlaceLink } from './part.tsx'
import { findingText, jobProblemText, mailTexts } from './today-texts.ts'

export function MailPart({ waiting, late, refused, failed, rows }: Today['mail']) {
  const isUrgent = refused + failed + late > 0
  return (
    <DayPart
      title="Email"
      count={waiting + refused + failed}
      tone={isUrgent ? 'bad' : 'wait'}
      empty="All emails have gone out."
      all={
        <>
          {waiting > 0 && (
            <PlaceLink place="mail" search={{ show: 'waiting' }}>
              {mailTexts.waiting(waiting)}
              {late > 0 && `, ${mailTexts.late(late)}`}
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
      {rows.map(({ id, to, subject, lastError }) => (
        <DayRow key={id} title={to} target={{ place: 'mail', search: { q: to, show: 'refused' } }}>
          {subject}. {lastError}
        </DayRow>
      ))}
    </DayPart>
  )
}

export const JobsPart = ({ jobs }: Pick<Today, 'jobs'>) => (
  <DayPart title="Jobs" count={jobs.length} tone="bad" empty="All jobs ran on time.">
    {jobs.map((job) => (
      <DayRow key={job.name} title={purposeOf(job)} target={{ place: 'jobs' }}>
        {jobProblemText(job)}
      </DayRow>
    ))}
  </DayPart>
)

export const FindingsPart = ({ findings }: Pick<Today, 'findings'>) => (
  <DayPart title="Books and server" count={findings.length} tone="bad" empty="Nothing to fix.">
    {findings.map((finding) => {
      const { title, advice, target, run } = findingText(finding)
      return (
        <DayRow
          key={finding.check}
          title={title}
          target={target}
          aside={run && <RunJob job={{ name: run.job }} label={run.label} />}
        >
          {advice} <small>{finding.message}</small>
        </DayRow>
      )
    })}
  </DayPart>
)
