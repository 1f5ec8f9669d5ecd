import { describe, expect, test } from 'vitest'
import { continueJoinMail, ownerLinkMail, passwordSetMail, resetPasswordMail } from './account.ts'
import { greeting, type Message, paragraph, renderMail } from './layout.ts'
import { type Welcome, welcomeMail } from './welcome.ts'

const url = 'https://alliance.example/reset-password?token=a&b'
const welcome: Welcome = {
  firstName: 'Danny',
  tierName: 'Standard',
  membersUrl: 'https://alliance.example/members',
  setPassword: { url, days: 7, forgotUrl: 'https://alliance.example/forgot-password' },
  net: 25000,
  vat: 5000,
  total: 30000,
  coolingOff: null,
  nextPaymentOn: '2026-07-12',
  video: { title: 'The year on <one> page', url: 'https://alliance.example/members?a&b' },
  community: 'https://community.example',
  weeklyCall: '2026-06-17',
  coachingCall: { minutes: 30, url: 'https://alliance.example/book-call' },
}

const framed = (message: Message) =>
  renderMail(message, {
    brand: { name: 'The Alliance', tagline: '<Time> & profit' },
    disclosure: '',
    url: 'https://alliance.example',
  })

const mails = [
  resetPasswordMail({ url, minutes: 60 }),
  ownerLinkMail({ url, hours: 1 }),
  welcomeMail(welcome),
  continueJoinMail({ url, minutes: 60 }),
  passwordSetMail({ forgotUrl: url }),
].map(framed)

describe.each(mails)('$subject', ({ text, html }) => {
  test('gives its link in both forms, escaped in the second', () => {
    expect(text).toContain(url)
    expect(html).toContain('token=a&amp;b')
    expect(html).not.toContain('token=a&b')
  })

  test('loads nothing and runs nothing', () => {
    expect(html).not.toMatch(/<img|<script|<link|src=|url\(|@import/i)
  })

  test('has no exclamation mark', () => {
    expect(text).not.toContain('!')
  })
})

describe('the welcome', () => {
  test('says what it costs and when', () => {
    const { text } = framed(welcomeMail(welcome))
    expect(text).toContain('Net a month: £250.00\nVAT 20%: £50.00\nTotal a month: £300.00')
    expect(text).toContain('Next payment: 12 July 2026')
    expect(text).toContain('Hello Danny, you’re in')
    // Most people set it on the page after payment, which uses up the emailed link.
    expect(text).toContain('Already set one? Go straight to the members’ area: https://alliance.example/members')
  })

  test("leads straight to the members' area once there is a password", () => {
    const { text } = framed(welcomeMail({ ...welcome, setPassword: null, nextPaymentOn: undefined }))
    expect(text).toContain('https://alliance.example/members')
    expect(text).not.toMatch(/password|Next payment:/i)
  })

  test('names the first video, the community and the next call, each with its link', () => {
    const { text, html } = framed(welcomeMail(welcome))
    expect(text).toContain(
      [
        '1. Watch the first video, “The year on <one> page”.\n   https://alliance.example/members?a&b',
        '2. Join the community and say hello.\n   https://community.example',
        '3. Come to the next weekly call, on Wednesday 17 June 2026. The link is in the community.',
        '4. Book your first 30-minute coaching call.\n   https://alliance.example/book-call',
        '5. Keep this email.',
      ].join('\n'),
    )
    expect(html).toContain(
      '“The year on &lt;one&gt; page”.<br><a class="link" href="https://alliance.example/members?a&amp;b"',
    )
    const none = { video: null, community: null, weeklyCall: null, coachingCall: null }
    const without = framed(welcomeMail({ ...welcome, ...none })).text
    expect(without).toContain('1. Keep this email.')
    expect(without).not.toMatch(/2\. |community|call|video/)
  })

  test('escapes what people typed', () => {
    const { html } = framed(welcomeMail({ ...welcome, firstName: '<b>Dan</b>', tierName: '"><script>' }))
    expect(html).not.toMatch(/<b>|<script/)
    expect(html).toContain('&quot;&gt;&lt;script&gt;')
  })

  test.each([null, '', ' \n ', 'x'.repeat(61), 'win at evil.example', 'https://evil', 'a@b'])(
    'greets %j without a name',
    (name) => {
      expect(greeting(name)).toBe('Hello,')
    },
  )

  test.each(["O'Brien", 'José', 'Mary Jane', 'J. R.'])('greets %s by name', (name) => {
    expect(greeting(name)).toBe(`Hello ${name},`)
  })
})

test('unit counts agree in number', () => {
  expect(framed(ownerLinkMail({ url, hours: 1 })).text).toContain('for 1 hour.')
  expect(framed(resetPasswordMail({ url, minutes: 60 })).text).toContain('for 60 minutes.')
})

test('the frame escapes the subject and keeps line breaks', () => {
  const { html } = framed({ subject: '</title>', heading: '<h2>', blocks: [paragraph('one\ntwo')] })
  expect(html).toContain('<title>&lt;/title&gt;</title>')
  expect(html).toContain('&lt;h2&gt;')
  expect(html).toContain('one<br>two')
  expect(html).toContain('The Alliance<br>&lt;Time&gt; &amp; profit')
})
