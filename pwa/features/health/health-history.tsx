import type { HealthHistory, Incident } from '#shared/contract/health.ts'
import { daysOfHealth, type HealthDay, lengthOfTrouble } from '#shared/rules/health.ts'
import { formatLongDate, formatMoment } from '#shared/rules/london.ts'
import { useHealthHistory } from './queries.ts'

/** The last 90 days at a glance, and what went wrong in them. Nothing stands here until they have come. */
export const History = () => {
  const history = useHealthHistory()
  if (history === undefined) return null
  const days = daysOfHealth(history, new Date())
  return (
    <section className="health__history">
      <h2>The last 90 days</h2>
      <p>{summaryOf(history, days)}</p>
      <ol className="health__days" aria-hidden="true">
        {days.map(({ day, minutes }) => (
          <li key={day} className={lookOf(minutes)} title={`${formatLongDate(day)}: ${wordsOf(minutes)}`} />
        ))}
      </ol>
      {history.incidents.length > 0 && (
        <ul className="health__incidents">
          {history.incidents.map((incident) => (
            <li key={`${incident.part} ${incident.startedAt}`}>
              <time dateTime={incident.startedAt}>{formatMoment(incident.startedAt)}</time>
              <span>{sentenceOf(incident)}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

/** Less than 5 minutes is a restart. */
const shortMinutes = 5

function lookOf(minutes: number | null): string {
  if (minutes === null) return 'is-unknown'
  if (minutes === 0) return 'is-good'
  return minutes < shortMinutes ? 'is-short' : 'is-bad'
}

function wordsOf(minutes: number | null): string {
  if (minutes === null) return 'not known'
  return minutes === 0 ? 'no trouble' : `trouble for ${lengthOfTrouble(minutes)}`
}

function summaryOf({ since }: HealthHistory, days: readonly HealthDay[]): string {
  const troubled = days.filter(({ minutes }) => minutes !== null && minutes > 0)
  const from = days[0] && days[0].day < since ? ` We began counting on ${formatLongDate(since)}.` : ''
  if (troubled.length === 0) return `No trouble.${from}`
  return `Trouble on ${troubled.length === 1 ? '1 day' : `${troubled.length} days`}.${from}`
}

const happened: Record<Incident['part'], string> = {
  site: 'The site couldn’t be reached',
  database: 'Nothing could be saved',
  logins: 'Logging in was slow',
  backups: 'The nightly backup was missing',
  reports: 'A report was missing',
}

function sentenceOf({ part, startedAt, endedAt }: Incident): string {
  const minutes = Math.max(1, Math.ceil((Date.parse(endedAt ?? '') - Date.parse(startedAt)) / 60_000))
  return endedAt === null ? `${happened[part]}. We’re on it.` : `${happened[part]} for ${lengthOfTrouble(minutes)}.`
}
