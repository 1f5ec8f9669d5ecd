import { eq } from 'drizzle-orm'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { insertRow } from '#api/db/insert.ts'
import { mailOutbox } from '#api/db/schema/mail.ts'
import { users } from '#api/db/schema/people.ts'
import { sendMail } from '#api/features/mail/delivery-service.ts'
import { runJob } from '#api/features/operations/jobs/service.ts'
import { type Smtp, startSmtp } from '#api/mail/testing/smtp-server.ts'
import type { TestPerson } from '#api/testing/people.ts'
import { type Call, readError, startWorld, type World } from '#api/testing/world.ts'
import type { AudienceCount, AudiencePerson, Mailing, MailingRecipient } from '#shared/contract/mailing.ts'

let world: World
let owner: Call
let boss: TestPerson
beforeEach(() => {
  world = startWorld()
  boss = world.addOwner()
  owner = world.signIn(boss)
})

let smtp: Smtp | undefined
afterEach(async () => {
  await smtp?.stop()
  smtp = undefined
})

const path = '/api/admin/mailings'
const draft = {
  subject: 'Workshop on Friday',
  text: 'Bring [your quotes](/members).',
  purpose: 'news',
  perMinute: 2,
  segment: { state: 'with-access' },
}
const create = async (body: object = {}): Promise<Mailing> =>
  (await owner(path, { body: { ...draft, ...body } })).json()
const read = async (id: string): Promise<Mailing> => (await owner(`${path}/${id}`)).json()
const count = async (query: string): Promise<AudienceCount> =>
  (await owner(`/api/admin/mailing-audience/count?${query}`)).json()
const who = async (query: string): Promise<AudiencePerson[]> =>
  (await owner(`/api/admin/mailing-audience?${query}`)).json()
const send = (id: string, gets: number, version = 1) => owner(`${path}/${id}/send`, { body: { version, gets } })
const step = async (id: string, name: string): Promise<Mailing> =>
  (await owner(`${path}/${id}/${name}`, { method: 'POST' })).json()
const mails = () => world.ctx.db.select().from(mailOutbox).orderBy(mailOutbox.id).all()
const mailed = () => mails().filter(({ cause }) => cause.startsWith('mailing:'))
const runAgain = () => runJob(world.ctx, 'mailings')
const minute = 60_000

async function agree(person: TestPerson, isWanted = true): Promise<TestPerson> {
  const call = world.signIn(person)
  await call('/api/user/mail-choices', { method: 'PUT', body: { purpose: 'news', isWanted } })
  return person
}

const readers = (number: number) => Promise.all(Array.from({ length: number }, () => agree(world.addMember())))

function refuseMailOf({ email }: TestPerson) {
  const now = world.ctx.now().toISOString()
  insertRow(world.ctx, mailOutbox, {
    id: world.ctx.newId(),
    cause: `test:${email}`,
    to: email,
    subject: 's',
    text: '',
    html: '',
    messageId: email,
    status: 'refused',
    lastError: '550 No such user',
    nextAttemptAt: now,
    createdAt: now,
  })
}

test('news is for who agreed: silence and a no get none; a refused address leaves; owners are no audience', async () => {
  const [reader] = await readers(1)
  world.addMember()
  await agree(world.addMember(), false)
  refuseMailOf(await agree(world.addMember()))
  world.addMember({ subscription: { status: 'canceled' } })
  const leftOut = { 'not-agreed': 1, stopped: 1, refused: 1 }
  expect(await count('purpose=news')).toEqual({ people: 4, gets: 1, leftOut })
  expect(await count('purpose=service')).toMatchObject({ people: 4, gets: 3 })
  expect(await count('purpose=service&state=former')).toMatchObject({ people: 1, gets: 1 })
  const people = await who('purpose=news')
  expect(people.filter((one) => one.leftOut === null).map(({ id }) => id)).toEqual([reader?.id])
  expect(people.map((one) => one.leftOut).sort()).toEqual(['not-agreed', 'refused', 'stopped', null].sort())
})

test('who owners stopped all mail to is left out of the count, and in again once that is lifted', async () => {
  const [reader] = await readers(2)
  const owner = world.signIn(world.addOwner())
  const stopped = '/api/admin/suppressed-addresses'
  await owner(stopped, { body: { email: reader?.email, reason: 'They asked' } })
  expect(await count('purpose=service')).toMatchObject({ gets: 1, leftOut: { refused: 1 } })
  await owner(`${stopped}/${reader?.email}`, { method: 'DELETE' })
  expect(await count('purpose=service')).toMatchObject({ gets: 2, leftOut: { refused: 0 } })
})

test('a segment is narrowed by tier, videos done, days not seen and the month of joining', async () => {
  const videos = world.addVideos().filter(({ isPublished, tierAccess }) => isPublished && tierAccess.includes('xl'))
  const [idle, busy] = [world.addMember(), world.addMember({ tier: 'xl' })]
  for (const { id } of videos.slice(0, 2))
    await world.signIn(busy)(`/api/video-progress/${id}/complete`, { method: 'POST' })
  const seen = new Date(world.ctx.now().getTime() - 20 * 86_400_000).toISOString()
  world.ctx.db.update(users).set({ lastSeenAt: seen }).where(eq(users.id, idle.id)).run()
  const ids = async (query: string) => (await who(`purpose=service&${query}`)).map(({ id }) => id)
  expect(await ids('tiers=xl')).toEqual([busy.id])
  expect((await ids('tiers=standard.xl')).sort()).toEqual([idle.id, busy.id].sort())
  expect(await ids('progress=nothing')).toEqual([idle.id])
  expect([await ids('progress=2'), await ids('progress=3')]).toEqual([[busy.id], []])
  expect([await ids('notSeenDays=20'), await ids('notSeenDays=21')]).toEqual([[idle.id], []])
  const [first] = await who('purpose=service')
  const month = first?.joinedAt.slice(0, 7)
  expect([(await ids(`joined=${month}`)).length, await ids('joined=2019-01')]).toEqual([2, []])
})

test('the tier is the one that a member sees: who was let in and never paid for XL is not of it', async () => {
  const [payer, guest] = [
    world.addMember({ tier: 'xl' }),
    world.addMember({ tier: 'xl', accessOverride: 'granted', subscription: { status: 'incomplete' } }),
  ]
  const former = world.addMember({ tier: 'xl', subscription: { status: 'canceled' } })
  const of = async (query: string) => (await who(`purpose=service&${query}`)).map(({ id, tier }) => [id, tier])
  expect(await of('tiers=xl')).toEqual([[payer.id, 'xl']])
  expect(await of('tiers=standard')).toEqual([[guest.id, 'standard']])
  expect(await of('state=former&tiers=xl')).toEqual([[former.id, 'xl']])
})

test('each address gets it once, no faster than its rate, however often the job runs', async () => {
  await readers(5)
  const { id } = await create()
  expect((await send(id, 5)).status).toBe(200)
  for (const _run of [1, 2, 3]) await runAgain()
  expect(mailed()).toHaveLength(2)
  await sendMail(world.ctx)
  world.forward(minute + 1)
  for (const _run of [1, 2]) await runAgain()
  expect(mailed()).toHaveLength(4)
  await sendMail(world.ctx)
  world.forward(minute + 1)
  await runAgain()
  await sendMail(world.ctx)
  const { status, report } = await read(id)
  expect([status, report]).toMatchObject(['sent', { arrived: 5, waiting: 0, refused: 0, leftOut: 0, gone: 0 }])
  expect(new Set(mailed().map(({ to }) => to)).size).toBe(5)
  const [one] = mailed()
  expect(one).toMatchObject({ purpose: 'news', isRepeatable: true })
  expect(one?.text).toMatch(
    /^Workshop on Friday\n\nHello .*\n\nBring your quotes \(.*\/members\)\.\n\nUnsubscribe: .*unsubscribe\?token=/s,
  )
  expect((await send(id, 5)).status).toBe(200)
  await runAgain()
  expect(mailed()).toHaveLength(5)
})

test('while so many wait in the outbox, no more are written', async () => {
  await readers(5)
  const { id } = await create()
  await send(id, 5)
  await runAgain()
  world.forward(10 * minute)
  await runAgain()
  expect(mailed()).toHaveLength(2)
})

test('a run that is cut off goes on where it was, and nobody gets it twice', async () => {
  await readers(3)
  const { id } = await create({ perMinute: 60 })
  await send(id, 3)
  // Simulates a crash after the first mail by making the second throw.
  world.ctx.sqlite.exec(`create trigger cut before insert on mail_outbox
    when (select count(*) from mail_outbox where cause like 'mailing:%') = 1 begin select raise(abort, 'cut off'); end`)
  await expect(runAgain()).rejects.toThrow('cut off')
  expect([mailed().length, (await read(id)).report]).toMatchObject([1, { waiting: 3 }])
  world.ctx.sqlite.exec('drop trigger cut')
  await runAgain()
  expect(new Set(mailed().map(({ cause }) => cause)).size).toBe(3)
  expect((await read(id)).status).toBe('sent')
})

test('it is paused, goes on, and is stopped: whose turn has not come gets none', async () => {
  await readers(5)
  const { id } = await create()
  await send(id, 5)
  await runAgain()
  expect((await step(id, 'pause')).status).toBe('paused')
  await sendMail(world.ctx)
  world.forward(minute + 1)
  await runAgain()
  expect(mailed()).toHaveLength(2)
  expect((await step(id, 'resume')).status).toBe('sending')
  await runAgain()
  expect(mailed()).toHaveLength(4)
  const stopped = await step(id, 'stop')
  // Also withdraws what the outbox hadn't tried yet.
  expect([stopped.status, stopped.report]).toMatchObject(['stopped', { arrived: 2, stopped: 3, waiting: 0 }])
  expect(mailed()).toHaveLength(2)
  world.forward(minute + 1)
  await runAgain()
  expect(mailed()).toHaveLength(2)
  expect((await readError(await owner(`${path}/${id}/resume`, { method: 'POST' }))).status).toBe(409)
})

test('who stops the mails meanwhile gets none, also where it waits in the outbox; what was refused is told', async () => {
  const [first, second, third] = await readers(3)
  const { id } = await create({ perMinute: 1 })
  await send(id, 3)
  await runAgain()
  const waiting = [first, second, third].find((one) => one?.email === mailed()[0]?.to)
  const later = [first, second, third].filter((one) => one !== waiting)
  for (const one of [waiting, later[0]]) if (one) await agree(one, false)
  expect(mailed()).toHaveLength(0)
  world.forward(minute + 1)
  await runAgain()
  world.forward(minute + 1)
  await runAgain()
  world.ctx.db.update(mailOutbox).set({ status: 'refused', lastError: '550 Gone' }).run()
  world.forward(minute + 1)
  await runAgain()
  expect((await read(id)).report).toMatchObject({ stopped: 1, leftOut: 1, refused: 1, arrived: 0 })
  const people: MailingRecipient[] = await (await owner(`${path}/${id}/people`)).json()
  expect(people.map(({ status, why }) => [status, why]).sort()).toEqual([
    ['left-out', 'stopped'],
    ['refused', '550 Gone'],
    ['stopped', null],
  ])
})

test('where the list has changed since the owner looked, nothing is sent; a changed draft needs another look', async () => {
  await readers(2)
  const { id } = await create()
  expect(await readError(await send(id, 1))).toMatchObject({
    status: 409,
    message: expect.stringMatching(/2 would get it/),
  })
  const change = { ...draft, segment: { ...(await read(id)).segment }, subject: 'On Thursday', version: 1 }
  expect((await owner(`${path}/${id}`, { method: 'PATCH', body: change })).status).toBe(200)
  expect((await send(id, 2)).status).toBe(409)
  expect((await send(id, 2, 2)).status).toBe(200)
  const late = { ...change, subject: 'No', version: 3 }
  expect((await owner(`${path}/${id}`, { method: 'PATCH', body: late })).status).toBe(409)
  expect((await owner(`${path}/${id}?version=3`, { method: 'DELETE' })).status).toBe(409)
})

test('a member who is removed leaves the report, which still adds up', async () => {
  const [gone] = await readers(2)
  const { id } = await create()
  await send(id, 2)
  world.ctx.db
    .delete(users)
    .where(eq(users.id, gone?.id ?? ''))
    .run()
  await runAgain()
  expect((await read(id)).report).toMatchObject({ waiting: 1, gone: 1 })
})

test('a test goes to the owner once for each wish; the preview greets the member, and holds no link of theirs', async () => {
  const [reader] = await readers(1)
  const { id } = await create({ text: 'Words & <3' })
  const wish = world.ctx.newId()
  for (const _twice of [1, 2]) await owner(`${path}/${id}/test`, { body: { wish, member: reader?.id } })
  const tests = mails().filter(({ cause }) => cause.startsWith('mailing-test:'))
  expect(tests).toMatchObject([{ to: boss.email, subject: 'Test: Workshop on Friday', purpose: null }])
  const page = await owner(`${path}/${id}/preview?member=${reader?.id}`)
  const html = await page.text()
  expect(html).toContain('Words &amp; &lt;3')
  expect(html).not.toContain('token=')
  expect(page.headers.get('content-security-policy')).toMatch(
    /default-src 'none'.*frame-ancestors 'self'; sandbox allow-same-origin$/,
  )
  expect((await owner(`${path}/${id}/preview?member=${world.ctx.newId()}`)).status).toBe(404)
})

test('of a mail server’s answers: what it took has arrived, what it put off comes later, whom it refused leaves by itself', {
  tags: ['full'],
}, async () => {
  const server = await startSmtp()
  smtp = server
  world = startWorld({ env: { SMTP_URL: `smtp://127.0.0.1:${server.port}` } })
  owner = world.signIn(world.addOwner())
  const [reader, later, gone] = await readers(3)
  if (!reader || !later || !gone) throw new Error('three readers')
  server.behaviours.set(later.email, '451').set(gone.email, '550')
  const { id } = await create({ perMinute: 60 })
  await send(id, 3)
  await runAgain()
  await sendMail(world.ctx)
  expect((await read(id)).report).toMatchObject({ arrived: 1, waiting: 1, refused: 1, failed: 0, gone: 0 })
  server.behaviours.delete(later.email)
  world.forward(minute + 1)
  await sendMail(world.ctx)
  expect((await read(id)).report).toMatchObject({ arrived: 2, waiting: 0, refused: 1 })
  expect(server.taken.map(({ to }) => to)).toEqual([[reader.email], [later.email]])
  const people: MailingRecipient[] = await (await owner(`${path}/${id}/people?show=refused`)).json()
  expect(people).toMatchObject([{ id: gone.id, why: expect.stringContaining('550 No such') }])
  // The next one needs no extra step.
  expect(await count('purpose=news')).toMatchObject({ gets: 2, leftOut: { refused: 1 } })
  const next = await create({ subject: 'Workshop on Monday', perMinute: 60 })
  await send(next.id, 2)
  await runAgain()
  await sendMail(world.ctx)
  expect((await read(next.id)).report).toMatchObject({ arrived: 2, leftOut: 1 })
  expect(server.taken.flatMap(({ to }) => to)).not.toContain(gone.email)
})

const in2Hours = () => new Date(world.ctx.now().getTime() + 120 * minute).toISOString()
const schedule = (id: string, sendAt: string, version = 1) =>
  owner(`${path}/${id}/schedule`, { body: { version, sendAt } })

test('a scheduled one goes by itself at its time, once, to who is in its audience by then', async () => {
  const [stays, stops] = await readers(2)
  const { id } = await create({ perMinute: 60 })
  const scheduled: Mailing = await (await schedule(id, in2Hours())).json()
  expect(scheduled).toMatchObject({ status: 'scheduled', sendAt: in2Hours(), startedAt: null, report: null })
  // The answer was lost.
  expect((await schedule(id, in2Hours())).status).toBe(200)
  const ids = async (show: string) => (await (await owner(`${path}?show=${show}`)).json()).map((one: Mailing) => one.id)
  expect([await ids('scheduled'), await ids('draft')]).toEqual([[id], []])
  if (stops) await agree(stops, false)
  const [joined] = await readers(1)
  world.forward(119 * minute)
  await runAgain()
  expect(mailed()).toEqual([])
  world.forward(minute)
  await runAgain()
  await runAgain()
  expect(
    mailed()
      .map(({ userId }) => userId)
      .sort(),
  ).toEqual([stays?.id, joined?.id].sort())
  expect(await read(id)).toMatchObject({ status: 'sent', sendAt: null, report: { waiting: 2, leftOut: 1 } })
  owner = world.signIn(boss)
  expect((await schedule(id, in2Hours(), 5)).status).toBe(409)
})

test('until its time it can be moved or cancelled, and is changed only as a draft again', async () => {
  await readers(1)
  const { id } = await create()
  const first = in2Hours()
  const past = await schedule(id, world.ctx.now().toISOString())
  expect((await readError(past)).message).toBe('That time has passed. Choose a later one.')
  await schedule(id, first)
  const { version, ...written } = { ...draft, version: 2 }
  const change = await owner(`${path}/${id}`, { method: 'PATCH', body: { ...written, subject: 'Else', version } })
  expect((await readError(change)).message).toBe('This campaign is scheduled. Cancel sending first.')
  expect((await owner(`${path}/${id}?version=2`, { method: 'DELETE' })).status).toBe(409)
  const later = new Date(Date.parse(first) + 60 * minute).toISOString()
  expect((await schedule(id, later, 1)).status).toBe(409)
  expect((await schedule(id, later, 2)).status).toBe(200)
  world.forward(130 * minute)
  await runAgain()
  expect(mailed()).toEqual([])
  expect(await step(id, 'unschedule')).toMatchObject({ status: 'draft', sendAt: null })
  expect(await step(id, 'unschedule')).toMatchObject({ status: 'draft' })
  world.forward(120 * minute)
  await runAgain()
  expect(mailed()).toEqual([])
  expect((await send(id, 1, 4)).status).toBe(200)
})

test('scheduling asks for the password, even where it reaches one person now; cancelling doesn’t', async () => {
  await readers(1)
  const { id } = await create()
  world.ctx.sqlite.exec('update sessions set provenAt = null')
  expect((await readError(await schedule(id, in2Hours()))).code).toBe('password_needed')
  expect(await read(id)).toMatchObject({ status: 'draft' })
  expect((await owner(`${path}/${id}/unschedule`, { method: 'POST' })).status).toBe(200)
})
