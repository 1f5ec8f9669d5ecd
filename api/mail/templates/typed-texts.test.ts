import { expect, test } from 'vitest'
import { attacks } from '#api/testing/attacks.ts'
import { dangersIn } from '#api/testing/dangers.ts'
import { callDayMail, callMissedMail, callNoticeMail } from './call.ts'
import { type Block, type MailSender, type Message, paragraph, renderMail } from './layout.ts'
import { writtenMail } from './written.ts'

const corpus = [...Object.values(attacks), 'a"><img src=x onerror=alert(1)>', 'Sam\nPhone: 0900 evil']
const site = 'https://alliance.example'

const call = (attack: string) => ({
  kind: 'coaching' as const,
  coach: attack,
  startsAt: '2026-06-15T08:00:00.000Z',
  minutes: 30,
  phone: '07700 900123',
  url: `${site}/book-call?call=${attack}`,
})
const caller = (attack: string) => ({ name: attack, email: attack, phone: attack, notes: attack, businessName: attack })

const noticeOf = (attack: string) =>
  callNoticeMail({ ...call(attack), what: 'booked', before: undefined, caller: caller(attack) })

/** An email with every kind of block and the text in each place, plus the emails with the most typed text. */
const mails: Record<string, (attack: string) => Message> = {
  'every block': (attack) => {
    const row = [attack, attack] as const
    const blocks: Block[] = [
      paragraph(attack),
      { kind: 'button', label: attack, url: `${site}/?q=${attack}` },
      { kind: 'rows', rows: [row] },
      { kind: 'steps', steps: [attack, { text: attack, url: `${site}/${attack}` }] },
      { kind: 'bill', rows: [row], total: row },
    ]
    return { subject: attack, heading: attack, blocks }
  },
  'a mailing, a follow-up': (attack) =>
    writtenMail({
      subject: attack,
      firstName: attack,
      siteUrl: site,
      text: `${attack}\n\n## ${attack}\n\n- ${attack}\n- **${attack}**\n\n[${attack}](${attack}) [x](javascript:alert(1))`,
    }),
  'a call for owners': (attack) => noticeOf(attack),
  'who did not come': (attack) => callMissedMail(attack, { ...call(attack), again: `${site}/${attack}` }),
  'a coach’s day': (attack) => {
    const one = { ...call(attack), ...caller(attack), endsAt: '2026-06-15T08:30:00.000Z' }
    return callDayMail(attack, { day: '2026-06-15', calls: [one], url: site })
  },
}

const senderNamed = (name: string): MailSender => ({ brand: { name, tagline: name }, disclosure: name, url: site })

const ours =
  /^(html|head|meta|title|style|body|main|h1|h2|p|a|br|div|span|strong|table|tbody|tr|td|th|ol|ul|li|header|footer)$/

function elementsIn(html: string): string[] {
  const found = new Set<string>()
  new HTMLRewriter().on('*', { element: ({ tagName }) => void found.add(tagName) }).transform(html)
  return [...found]
}

test.each(Object.entries(mails))('whatever is typed, in %s it is text', (_name, mail) => {
  for (const attack of corpus) {
    const { html } = renderMail(mail(attack), senderNamed(attack))
    expect([attack, dangersIn(html)]).toEqual([attack, []])
    expect([attack, elementsIn(html).filter((tag) => !ours.test(tag))]).toEqual([attack, []])
  }
})

test('in the plain form a value of several lines adds no row of its own', () => {
  const sam = { ...caller('Sam'), phone: '07700 900123', notes: 'Tea\nPhone: 0900 evil' }
  const message = callNoticeMail({ ...call('Dave'), what: 'booked', before: undefined, caller: sam })
  const { text } = renderMail(message, senderNamed('The Alliance'))
  expect(text.split('\n').filter((line) => line.startsWith('Phone:'))).toEqual(['Phone: 07700 900123'])
})
