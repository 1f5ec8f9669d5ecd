import type { Report } from '#cli/output.ts'
import { type Column, type Fact, factsText, type Tone, tableText } from '#cli/table.ts'
import type { AdminMail, MailStatus } from '#shared/contract/mail.ts'
import { nothing, timeWords, yesOrNo } from './words.ts'

const statusWords: Record<MailStatus, string> = {
  waiting: 'Waiting',
  sending: 'Sending',
  sent: 'Sent',
  refused: 'Refused',
  failed: 'Given up',
}
const statusTones: Record<MailStatus, Tone> = {
  waiting: 'quiet',
  sending: 'quiet',
  sent: 'ok',
  refused: 'bad',
  failed: 'bad',
}

const columns: readonly Column<AdminMail>[] = [
  { title: 'ID', text: ({ id }) => id, tone: () => 'quiet', givesWay: 2 },
  { title: 'TO', text: ({ to }) => to, shrinksTo: 18 },
  { title: 'SUBJECT', text: ({ subject }) => subject, shrinksTo: 16 },
  { title: 'KIND', text: ({ kind }) => kind, givesWay: 3 },
  { title: 'STATUS', text: ({ status }) => statusWords[status], tone: ({ status }) => statusTones[status] },
  { title: 'TRIES', text: ({ attempts }) => String(attempts), align: 'right' },
  { title: 'LAST WORDS', text: ({ lastError }) => lastError ?? nothing, shrinksTo: 12, givesWay: 4 },
  { title: 'WRITTEN', text: ({ createdAt }) => timeWords(createdAt), tone: () => 'quiet', givesWay: 1 },
]

const mailFacts = (mail: AdminMail): Fact[] => [
  { label: 'To', value: mail.to },
  { label: 'Subject', value: mail.subject },
  { label: 'Kind', value: mail.kind },
  { label: 'Status', value: statusWords[mail.status], tone: statusTones[mail.status] },
  { label: 'Tries', value: String(mail.attempts) },
  { label: 'Last words', value: mail.lastError ?? nothing },
  { label: 'Written', value: timeWords(mail.createdAt) },
  { label: 'Next try', value: timeWords(mail.nextAttemptAt) },
  { label: 'Sent', value: timeWords(mail.sentAt) },
  { label: 'Can be sent again', value: yesOrNo(mail.canResend) },
  { label: 'Id', value: mail.id, tone: 'quiet' },
]

const fields = [
  'id',
  'to',
  'subject',
  'kind',
  'status',
  'attempts',
  'lastError',
  'createdAt',
  'nextAttemptAt',
  'sentAt',
  'canResend',
] as const satisfies readonly (keyof AdminMail)[]

const sheetOf = (mails: readonly AdminMail[]) => ({
  head: fields,
  rows: mails.map((mail) => fields.map((field) => mail[field])),
})

export function mailsReport(mails: AdminMail[]): Report {
  return {
    answer: mails,
    sheet: () => sheetOf(mails),
    text: () => (mails.length === 0 ? 'No mail.\n' : tableText(columns, mails)),
    async view(width) {
      const [{ draw }, { MailsView }] = await Promise.all([
        import('#cli/views/draw.tsx'),
        import('#cli/views/mails.tsx'),
      ])
      return draw(MailsView, { mails, columns, width })
    },
  }
}

export function mailReport(mail: AdminMail): Report {
  return {
    answer: mail,
    sheet: () => sheetOf([mail]),
    text: () => factsText(mailFacts(mail)),
    async view(width) {
      const [{ draw }, { FactsView }] = await Promise.all([
        import('#cli/views/draw.tsx'),
        import('#cli/views/facts.tsx'),
      ])
      return draw(FactsView, { title: 'Mail', facts: mailFacts(mail), width })
    },
  }
}
