import { shortReference } from '#shared/rules/id.ts'
import { formatMoment } from '#shared/rules/london.ts'
import { type Block, greeting, type Message, paragraph } from './layout.ts'

type Rows = (readonly [label: string, value: string])[]

export type Enquiry = {
  kind: 'contact' | 'coaching-application' | 'coaching-booking'
  id: string
  sender: { name: string; email: string; phone: string | null }
  receivedAt: string
  typed: Rows
  /** For owners only. */
  facts: Rows
}

/** Owners' notifications. Membership applicants aren't sent an `Enquiry`: they go straight to payment and get its emails. */
export type Notice = Omit<Enquiry, 'kind'> & { kind: Enquiry['kind'] | 'membership-application' }

const notices: Record<Notice['kind'], string> = {
  contact: 'Message',
  'coaching-application': 'Coaching application',
  'coaching-booking': 'Call booking',
  'membership-application': 'Membership application',
}

const own: Record<Enquiry['kind'], string> = {
  contact: 'message',
  'coaching-application': 'coaching application',
  'coaching-booking': 'call booking',
}

export function enquiryNoticeMail({ kind, id, sender, receivedAt, typed, facts }: Notice): Message {
  const received = formatMoment(receivedAt)
  const title = `${notices[kind]} from ${sender.name}`
  return {
    subject: title,
    heading: title,
    blocks: [
      { kind: 'rows', rows: withPlainBreaks([...typed, ...facts]) },
      {
        kind: 'rows',
        rows: [
          ['Received', received],
          ['Reference', shortReference(id)],
        ],
      },
      paragraph(`Reply to write to ${sender.email}.`),
    ],
  }
}

/**
 * To an unconfirmed address, so it repeats nothing from the form: those might be a stranger's words to someone who never asked.
 */
export function enquiryReceivedMail({ kind, id, sender }: Enquiry): Message {
  return {
    subject: `We’ve got your ${own[kind]}`,
    heading: `${greeting(sender.name)} we’ve got your ${own[kind]}`,
    blocks: [
      ...nextSteps(kind, sender.phone !== null),
      paragraph(`Your reference is ${shortReference(id)}. Didn’t send this? Ignore this email.`),
    ],
  }
}

function nextSteps(kind: Enquiry['kind'], hasPhone: boolean): Block[] {
  switch (kind) {
    case 'contact':
      return [paragraph("We'll get back to you soon.")]
    case 'coaching-application':
      return [paragraph("Thank you for your interest. We'll be in touch within 24 hours to discuss next steps.")]
    case 'coaching-booking': {
      const first = hasPhone ? 'A coach will ring you within 24 hours.' : 'A coach will email you within 24 hours.'
      return [
        paragraph('Here’s what happens next:'),
        { kind: 'steps', steps: [first, 'You agree a time for the call.', 'We send you both a calendar invite.'] },
      ]
    }
  }
}

/** Normalises line breaks to `\n`, so that further lines are indented under their label. */
const withPlainBreaks = (rows: Rows): Rows =>
  rows.map(([label, value]) => [label, value.replace(/\r\n?|[\u2028\u2029]/g, '\n')])
