import type { Today } from '#shared/contract/today.ts'
import { reportId } from './today-texts.ts'
import { useHidden } from './use-hold.tsx'

type Rows<Row> = { total: number; rows: Row[] }

/** What’s still to do. Leaves out what’s done but can still be undone. */
export function useQueue(today: Today): { left: Today; count: number } {
  const hidden = useHidden()
  const leftOf = <Row>({ total, rows }: Rows<Row>, idOf: (row: Row) => string): Rows<Row> => {
    const kept = rows.filter((row) => !hidden.has(idOf(row)))
    return { total: total - rows.length + kept.length, rows: kept }
  }
  const idOf = ({ id }: { id: string }) => id
  const applications = leftOf(today.applications, idOf)
  const coaching = leftOf(today.coaching, idOf)
  const contacts = leftOf(today.contacts, idOf)
  const chase = leftOf(today.chase, ({ memberId }) => memberId)
  const { rows, total: refused } = leftOf({ rows: today.mail.rows, total: today.mail.refused }, idOf)
  const mail = { ...today.mail, refused, rows }
  const emailReports = today.emailReports.filter((report) => !hidden.has(reportId(report)))
  const people =
    applications.total + coaching.total + contacts.total + today.questions.total + chase.total + emailReports.length
  const left = { ...today, applications, coaching, contacts, chase, emailReports, mail }
  return { left, count: people + systemCount(left) }
}

export const systemCount = ({ mail, jobs, findings }: Today) =>
  mail.refused + mail.failed + mail.late + jobs.length + findings.length
