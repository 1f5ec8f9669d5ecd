import { expect, test } from 'vitest'
import { actOnImport, importRowsOf, planMembers, startImports } from '#api/testing/imports.ts'
import type { World } from '#api/testing/world.ts'
import type { Import } from '#shared/contract/imports.ts'
import { blockSentence } from '#shared/rules/imports.ts'

/* What real programs write, with the details made neutral. */

const all = (world: World, text: string) => world.ctx.sqlite.prepare<[], Record<string, unknown>>(text).all()
const counts = (planned: Import) => Object.fromEntries(planned.facts.map(({ fact, count }) => [fact, count]))
const agreed = (world: World) =>
  all(world, 'select email from mail_agreements join users on users.id = userId order by email').map(
    ({ email }) => email,
  )

test('a day in a column of who unsubscribed outweighs a yes, and the plan shows what it made of the column', async () => {
  const { world, call } = startImports()
  const csv = `email,name,newsletter,unsubscribed_at
ann.beam@example.com,Ann Beam,yes,2024-03-13 11:33:53 UTC
bob.joist@example.com,Bob Joist,yes,
`
  const planned = await planMembers(world, call, csv)
  expect(counts(planned)).toMatchObject({ subscribed: 1, blocked: 1 })
  expect(planned.columns.flatMap((column) => blockSentence(column) ?? [])).toEqual([
    'Unsubscribed or bounced: 1 (such as “2024-03-13 11:33:53 UTC”). Not: 1.',
  ])
  await actOnImport(world, call, planned.id, 'apply')
  expect(agreed(world)).toEqual(['bob.joist@example.com'])
  expect(all(world, 'select address from mail_refusals')).toEqual([{ address: 'ann.beam@example.com' }])
})

const headings = 'Email Address,First Name,MEMBER_RATING,OPTIN_TIME'

test.each([
  [
    'Mailchimp, unsubscribed',
    `${headings},UNSUB_TIME,UNSUB_REASON\na@example.com,Pat,2,2018-02-05 19:28:23,2020-03-23 17:30:05,\n`,
    'refused',
  ],
  [
    'Mailchimp, cleaned',
    `${headings},CLEAN_TIME,NOTES\na@example.com,Pat,2,2018-02-05 19:28:23,2020-03-23 17:30:05,\n`,
    'suppressed',
  ],
  [
    'Substack',
    'email,active_subscription,expiry,email_disabled\na@example.com,false,,true\nb@example.com,true,,false\n',
    'refused',
  ],
  ['MailPoet', 'Email,First Name,Status\na@example.com,Pat,unsubscribed\nb@example.com,Pat,subscribed\n', 'refused'],
  [
    'MailPoet, bounced',
    'Email,First Name,Status\na@example.com,Pat,bounced\nb@example.com,Pat,subscribed\n',
    'suppressed',
  ],
  [
    'beehiiv',
    'Email,Status,Created At\na@example.com,inactive,2024-01-02\nb@example.com,active,2024-01-02\n',
    'refused',
  ],
  [
    'MailPoet, as it exports',
    'Email,First name,Subscription time,List status,Global status\na@example.com,Pat,2024-01-02 10:00:00,subscribed,unsubscribed\nb@example.com,Pat,2024-01-02 10:00:00,subscribed,subscribed\n',
    'refused',
  ],
  [
    'Kit',
    'id,first_name,email,state,created_at\n1,Pat,a@example.com,cancelled,2024-01-02\n2,Sam,b@example.com,active,2024-01-02\n',
    'refused',
  ],
  [
    'Kit, bounced',
    'id,first_name,email,state,created_at\n1,Pat,a@example.com,bounced,2024-01-02\n2,Sam,b@example.com,active,2024-01-02\n',
    'suppressed',
  ],
  ['HubSpot', 'Email,Unsubscribed from all email\na@example.com,true\nb@example.com,false\n', 'refused'],
  ['Klaviyo', 'Email,Email Marketing Status\na@example.com,UNSUBSCRIBED\nb@example.com,NEVER_SUBSCRIBED\n', 'refused'],
  [
    'a database',
    'email,unsubscribed_at,unsubscribe_url,bounce_count\na@example.com,2024-03-13 11:33:53,https://old.example/u/1,1\nb@example.com,NULL,https://old.example/u/2,1\nc@example.com,\\N,https://old.example/u/3,0\nd@example.com,0000-00-00 00:00:00,https://old.example/u/4,0\n',
    'refused',
  ],
  [
    'Kajabi',
    'Name,Email,Products,Member ID,Email Marketing\nPat,a@example.com,,1,Bounced\nSam,b@example.com,,2,Subscribed\nKim,c@example.com,,3,Unsubscribed\n',
    'suppressed',
  ],
  [
    'MailerLite',
    'Subscriber,Name,Subscribed,Unsubscribed\na@example.com,Pat,2023-01-02,2024-01-02 10:00:00\nb@example.com,Sam,2023-01-02,\n',
    'refused',
  ],
  [
    'Ghost, deleted there',
    'email,name,subscribed_to_emails,deleted_at\na@example.com,Pat,true,2024-01-01T00:00:00.000Z\nb@example.com,Sam,true,\n',
    'refused',
  ],
  ['a membership’s status', 'Email,Status\nb@example.com,expired\nc@example.com,cancelled\n', null],
])('%s: who must not be written to', async (_from, csv, blocked) => {
  const { world, call } = startImports()
  const planned = await planMembers(world, call, csv)
  await actOnImport(world, call, planned.id, 'apply')
  const refused = all(world, 'select address from mail_refusals').map(({ address }) => `refused ${address}`)
  const suppressed = all(world, 'select address from suppressed_addresses').map(
    ({ address }) => `suppressed ${address}`,
  )
  expect([...refused, ...suppressed]).toEqual(blocked === null ? [] : [`${blocked} a@example.com`])
})

test('a column that the owner chose blocks for anything but nothing and a no', async () => {
  const { world, call } = startImports()
  const words = ['', 'no', 'N', 'false', '0', '-', 'never', 'x', '2024', 'gone quiet']
  const csv = `email,left the list\n${words.map((word, at) => `p${at}@example.com,${word}\n`).join('')}`
  const planned = await planMembers(world, call, csv, { columns: { blocked: 'left the list' } })
  expect(counts(planned)).toMatchObject({ blocked: 3 })
  expect(planned.columns.flatMap((column) => blockSentence(column) ?? [])).toEqual([
    'Unsubscribed or bounced: 3 (such as “x”, “2024”, “gone quiet”). Not: 7 (such as “no”, “N”, “false”).',
  ])
})

test('notes and the plan’s examples keep no passwords, keys and tokens', async () => {
  const { world, call } = startImports()
  const phpass = '$P$BDwS7wqDTfoYeCrY1sQkYwWxNqQTbW0'
  const csv = `user_email,user_pass,user_activation_key,session_tokens,api_key,Van,Odd
a@example.com,${phpass},1700000000:${phpass},a:1:{},sk_live_abc12345678,Blue,$2y$10$abcdefghijklmnopqrstuv
`
  const planned = await planMembers(world, call, csv, { keepsNotes: true })
  await actOnImport(world, call, planned.id, 'apply')
  expect(all(world, 'select text from inbox_notes')).toEqual([{ text: 'Van: Blue' }])
  const left = planned.columns.flatMap(({ heading, field }) => (field === null ? [heading] : []))
  expect(left).toEqual(['user_pass', 'user_activation_key', 'session_tokens', 'api_key'])
  const examples = planned.columns.map(({ sample }) => sample)
  expect(examples).toEqual(['a@example.com', '', '', '', '', 'Blue', ''])
})

test('Excel: its own first line, two columns of one name, its days and what it does to phones', async () => {
  const { world, call } = startImports()
  const csv = `sep=;\r
Email;Email;Phone;Paid until\r
ann@example.com;;7.7E+09;2027/04/03\r
;bob@example.com;="07700900123";April 3rd, 2027\r
cat@example.com;;'+447700900124;46480\r
`
  const planned = await planMembers(world, call, csv)
  expect(planned.counts).toMatchObject({ new: 3, refused: 0 })
  expect(await importRowsOf(call, planned.id, '?remarked=true')).toMatchObject([
    { line: 3, reason: expect.stringMatching(/shortened their phone number to 7\.7E\+09/) },
  ])
  await actOnImport(world, call, planned.id, 'apply')
  expect(all(world, 'select email, phone, accessUntil from users where isAdmin = 0 order by email')).toEqual([
    { email: 'ann@example.com', phone: null, accessUntil: '2027-04-03T23:00:00.000Z' },
    { email: 'bob@example.com', phone: '07700900123', accessUntil: '2027-04-03T23:00:00.000Z' },
    { email: 'cat@example.com', phone: '+447700900124', accessUntil: '2027-04-03T23:00:00.000Z' },
  ])
})

test.each([
  ['Numbers', 'Table 1\nEmail,Name\na@example.com,Pat\n', 1],
  ['Numbers, for Europe', 'Table 1\nEmail;Name\na@example.com;Pat\n', 1],
  ['a title and a day above', 'Our members,,\nExported 3 May,,\n,,\nEmail,Name,Town\na@example.com,Pat,Leeds\n', 1],
  ['one column', 'Email\na@example.com\nb@example.com\n', 2],
  ['a column without a heading', 'Email,\na@example.com,Pat\n', 1],
])('%s: what stands above the headings is passed over, and nothing else', async (_from, csv, count) => {
  const { world, call } = startImports()
  expect(await planMembers(world, call, csv)).toMatchObject({ problem: null, counts: { new: count, refused: 0 } })
})

test.each([
  ['Google', 'First Name,Last Name,Organization Name,E-mail 1 - Value,Phone 1 - Value'],
  ['Outlook', 'First Name,Last Name,Company,E-mail Address,Mobile Phone'],
  ['Circle', 'First Name,Last Name,Account Name,Email,Phone'],
])('contacts of %s have their own headings', async (_from, headings) => {
  const { world, call } = startImports()
  const planned = await planMembers(world, call, `${headings}\nGil,Hose,Hose & Co,gil@example.com,+44 7700 900130\n`)
  await actOnImport(world, call, planned.id, 'apply')
  expect(all(world, 'select email, firstName, businessName, phone from users where isAdmin = 0')).toEqual([
    { email: 'gil@example.com', firstName: 'Gil', businessName: 'Hose & Co', phone: '+44 7700 900130' },
  ])
})

test('empty lines above the headings, and a joining day that can’t be read is named by its line', async () => {
  const { world, call } = startImports()
  const csv = '\r\n\r\nEmail;Joined\r\nann@example.com;last week\r\nbob@example.com;20 May 2024\r\n'
  const planned = await planMembers(world, call, csv)
  expect(planned.counts).toMatchObject({ new: 2 })
  expect(await importRowsOf(call, planned.id, '?remarked=true')).toMatchObject([
    { line: 4, reason: 'We can’t read the day in “Joined”, so they count as joining today. Write it as 31/12/2026.' },
  ])
})

const sentence = 'email,business\na@example.com,It’s “Café” £5 – ok\nb@example.com,Muñoz & Noël\n'
/** Of the bytes above 127 in that sentence. */
const macRoman: Record<string, number> = {
  '’': 0xd5,
  '“': 0xd2,
  '”': 0xd3,
  é: 0x8e,
  '£': 0xa3,
  '–': 0xd0,
  ñ: 0x96,
  ë: 0x91,
}
const windows: Record<string, number> = {
  '’': 0x92,
  '“': 0x93,
  '”': 0x94,
  é: 0xe9,
  '£': 0xa3,
  '–': 0x96,
  ñ: 0xf1,
  ë: 0xeb,
}
const inBytes = (text: string, codes: Record<string, number>) =>
  Buffer.from([...text].map((char) => codes[char] ?? char.charCodeAt(0)))
const swapped = (bytes: Buffer) => Buffer.from(bytes).swap16()

test.each([
  ['Mac Roman', inBytes(sentence, macRoman)],
  ['Windows-1252', inBytes(sentence, windows)],
  ['UTF-16 without a mark', Buffer.from(sentence, 'utf16le')],
  ['UTF-16 without a mark, the other way round', swapped(Buffer.from(sentence, 'utf16le'))],
])('letters stay letters: %s', async (_name, bytes) => {
  const { world, call } = startImports()
  const planned = await planMembers(world, call, bytes)
  await actOnImport(world, call, planned.id, 'apply')
  const names = all(world, 'select businessName from users where isAdmin = 0 order by email')
  expect(names.map(({ businessName }) => businessName)).toEqual(['It’s “Café” £5 – ok', 'Muñoz & Noël'])
})
