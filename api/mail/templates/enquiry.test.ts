import { describe, expect, test } from 'vitest'
import { type Enquiry, enquiryNoticeMail, enquiryReceivedMail } from './enquiry.ts'
import { renderMail } from './layout.ts'

const enquiry: Enquiry = {
  kind: 'contact',
  id: '0190163d-8694-7e3b-8c7d-1f2b3c4d5e6f',
  sender: { name: 'Sam Field', email: 'sam@example.com', phone: null },
  receivedAt: '2026-06-12T23:30:00.000Z',
  typed: [
    ['Name', 'Sam Field'],
    ['Email', 'sam@example.com'],
    ['Message', 'Do you coach in Leeds?\r\nOr near it?'],
  ],
  facts: [],
}
const url = 'https://alliance.example'
const sender = { brand: { name: 'The Alliance', tagline: 'More time and profit.' }, disclosure: '', url }
const notice = (enquiry: Enquiry) => renderMail(enquiryNoticeMail(enquiry), sender)
const received = (enquiry: Enquiry) => renderMail(enquiryReceivedMail(enquiry), sender)
const kinds = ['contact', 'coaching-application', 'coaching-booking'] as const
const both = kinds.flatMap((kind) => [notice({ ...enquiry, kind }), received({ ...enquiry, kind })])

describe.each(both)('$subject', ({ text, html }) => {
  test('loads nothing, runs nothing, leads nowhere but to the legal pages', () => {
    expect(html).not.toMatch(/<img|<script|<link|src=|url\(|@import/i)
    const targets = [...html.matchAll(/href="([^"]*)"/g)].map(([, target]) => target)
    expect(targets).toEqual(['/privacy', '/terms', '/cancellation'].map((path) => url + path))
  })

  test('has no exclamation mark, and gives the reference that the sender was shown', () => {
    expect(text).not.toContain('!')
    expect(text).toContain('3C4D-5E6F')
    expect(html).toContain('3C4D-5E6F')
  })
})

describe('to the owners', () => {
  test('has the message with its lines, none of which can pass for a field', () => {
    const { text, html } = notice(enquiry)
    expect(text).toContain('\nMessage: Do you coach in Leeds?\n    Or near it?\n')
    expect(html).toContain('Do you coach in Leeds?<br>Or near it?')
  })

  test('says who, when in London, and what to do', () => {
    const { subject, text } = notice({ ...enquiry, facts: [['Call', '30 minutes']] })
    expect(subject).toBe('Message from Sam Field')
    expect(text).toContain('Call: 30 minutes')
    expect(text).toContain('Received: 13 June 2026, 00:30\nReference: 3C4D-5E6F')
    expect(text).toContain('Reply to write to sam@example.com.')
  })

  test('a link in a message stays, as text; tags are text', () => {
    const typed: Enquiry['typed'] = [
      ['Message', 'See https://sam.example/<b>work</b>\nEmail: eve@example.com\u2028Name: Eve'],
    ]
    const { text, html } = notice({ ...enquiry, typed })
    expect(text).toContain('Message: See https://sam.example/<b>work</b>\n    Email: eve@example.com\n    Name: Eve')
    expect(html).not.toContain('<b>')
  })
})

describe('to the sender', () => {
  const next: [kind: Enquiry['kind'], phone: string | null, paragraph: string][] = [
    ['contact', null, "We'll get back to you soon."],
    [
      ...(['coaching-application', '07700 900123'] as const),
      "Thank you for your interest. We'll be in touch within 24 hours to discuss next steps.",
    ],
    [
      ...(['coaching-booking', '07700 900123'] as const),
      '1. A coach will ring you within 24 hours.\n2. You agree a time for the call.\n3. We send you both a calendar invite.',
    ],
    ['coaching-booking', null, '1. A coach will email you within 24 hours.'],
  ]
  test.each(next)('CALL-05 ERR-18 ERR-24 %s, with the phone %j: what happens next', (kind, phone, said) => {
    const { text } = received({ ...enquiry, kind, sender: { ...enquiry.sender, phone } })
    expect(text).toContain(said)
    expect(text).toContain('Hello Sam Field, we’ve got your')
  })

  test('repeats nothing of what was sent, and no advertisement in the name', () => {
    const typed: Enquiry['typed'] = [
      ['Name', 'win at evil.example'],
      ['Message', 'Go to https://evil.example/x. Rated 4.9'],
    ]
    const sender = { ...enquiry.sender, name: 'win at evil.example' }
    const mail = received({ ...enquiry, sender, typed })
    for (const said of Object.values(mail)) expect(said).not.toMatch(/evil|4\.9/i)
    expect(mail.text).toContain('Your reference is')
  })
})
