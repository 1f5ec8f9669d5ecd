import { eq } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { insertRow } from '#api/db/insert.ts'
import { mailOutbox } from '#api/db/schema/mail.ts'
import { users } from '#api/db/schema/people.ts'
import { subscriptions } from '#api/db/schema/subscriptions.ts'
import { sendMail } from '#api/features/mail/delivery-service.ts'
import { runJob } from '#api/features/operations/jobs/service.ts'
import type { TestPerson } from '#api/testing/people.ts'
import { type Call, startWorld, type World } from '#api/testing/world.ts'
import type { FollowUp, FollowUpKind } from '#shared/contract/follow-up.ts'

let world: World
let owner: Call
beforeEach(() => {
  world = startWorld()
  owner = world.signIn(world.addOwner())
})

const day = 86_400_000
const ago = (days: number) => new Date(world.ctx.now().getTime() - days * day).toISOString()
const list = async (): Promise<FollowUp[]> => (await owner('/api/admin/follow-ups')).json()
const of = async (kind: FollowUpKind) => (await list()).find((one) => one.kind === kind)
const mails = () => world.ctx.db.select().from(mailOutbox).orderBy(mailOutbox.id).all()
const kinds = () => mails().map(({ cause }) => cause.split(':')[0])
const run = () => runJob(world.ctx, 'follow-ups')

async function switchOn(kind: FollowUpKind, more: object = {}) {
  const { isOn: _, subject, text, version } = (await of(kind)) ?? { subject: '', text: '', version: 0 }
  const value = { subject, text, isOn: true, ...more }
  const body = { entry: kind, value, version }
  expect((await owner('/api/admin/content/follow-ups', { method: 'PUT', body })).status).toBe(200)
}

const setSeen = ({ id }: TestPerson, lastSeenAt: string) =>
  world.ctx.db.update(users).set({ lastSeenAt }).where(eq(users.id, id)).run()

const subscriptionOf = ({ id }: TestPerson) =>
  world.ctx.sqlite
    .prepare<[string], string>(
      'select s.id from subscriptions s join customers c on c.id = s.customerId where c.userId = ?',
    )
    .pluck()
    .get(id) ?? ''
const setSubscription = (person: TestPerson, set: Partial<typeof subscriptions.$inferInsert>) =>
  world.ctx.db
    .update(subscriptions)
    .set(set)
    .where(eq(subscriptions.id, subscriptionOf(person)))
    .run()

const choose = (person: TestPerson, purpose: string, isWanted: boolean) =>
  world.signIn(person)('/api/user/mail-choices', { method: 'PUT', body: { purpose, isWanted } })

const nextYear = '2027-06-12T09:00:00.000Z'

/** A member last seen this many days ago, who pays on a different day. */
function awayFor(days: number): TestPerson {
  const person = world.addMember()
  setSubscription(person, { created: ago(100), currentPeriodEnd: nextYear })
  setSeen(person, ago(days))
  return person
}

test('what is switched off sends nothing, and all but the card’s ships switched off', async () => {
  awayFor(15)
  await run()
  expect([kinds(), (await list()).map(({ isOn }) => isOn)]).toEqual([[], [false, false, true, false]])
})

test('who was not seen for 14 days hears once for each absence, in the owners’ words; who was here lately does not', async () => {
  await switchOn('not-seen', { subject: 'Come by', text: 'Ten **minutes** in the van.' })
  const danny = awayFor(15)
  for (const days of [2, 13, 40]) awayFor(days)
  for (const _twice of [1, 2]) await run()
  expect(mails()).toMatchObject([{ to: danny.email, subject: 'Come by', purpose: 'check-in' }])
  expect(mails()[0]?.text).toMatch(
    /^Come by\n\nHello .*Ten minutes in the van\.\n\nOpen the members’ area:\n.*unsubscribe/s,
  )
  await sendMail(world.ctx)
  expect(await of('not-seen')).toMatchObject({ arrived: 1, cameBack: 0, refused: 0 })
  setSeen(danny, new Date(world.ctx.now().getTime() + 60_000).toISOString())
  expect(await of('not-seen')).toMatchObject({ arrived: 1, cameBack: 1 })
  // A second absence is a new occasion.
  world.forward(16 * day)
  await run()
  expect(mails().filter(({ to }) => to === danny.email)).toHaveLength(2)
})

test('nobody hears who said no, refuses mail, owes a payment, pays today, or has heard of a failed payment today', async () => {
  await switchOn('not-seen')
  await choose(awayFor(15), 'check-in', false)
  const [refusing, owing, paying, failed] = [awayFor(15), awayFor(15), awayFor(15), awayFor(15)]
  const now = world.ctx.now().toISOString()
  const mail = {
    lastError: '550 No',
    subject: 's',
    text: '',
    html: '',
    nextAttemptAt: now,
    createdAt: now,
    status: 'refused' as const,
  }
  insertRow(world.ctx, mailOutbox, {
    ...mail,
    id: world.ctx.newId(),
    cause: 'test:1',
    to: refusing.email,
    messageId: '1',
  })
  setSubscription(owing, { status: 'past_due' })
  setSubscription(paying, { currentPeriodEnd: new Date(world.ctx.billingNow().getTime() + 3_600_000).toISOString() })
  insertRow(world.ctx, mailOutbox, {
    ...mail,
    id: world.ctx.newId(),
    cause: 'payment-failed:in_1',
    to: failed.email,
    messageId: '2',
    userId: failed.id,
    status: 'sent',
  })
  for (const person of [...world.ctx.db.select().from(users).all()])
    if (!person.isAdmin) setSeen({ ...failed, id: person.id }, ago(15))
  await run()
  expect(kinds()).not.toContain('not-seen')
  // The day after, the failure mail no longer holds back a follow-up.
  world.forward(day)
  await run()
  const heard = mails().filter(({ cause }) => cause.startsWith('not-seen:'))
  expect(heard.map(({ to }) => to)).toEqual([failed.email])
})

test('who joined three days ago hears once; who was a member before, or joined before it was switched on, does not', async () => {
  await switchOn('after-joining')
  const joined = (days: number) => {
    const person = world.addMember()
    setSubscription(person, { created: ago(days), currentPeriodEnd: nextYear })
    return person
  }
  const fresh = joined(4)
  for (const days of [1, 12]) joined(days)
  for (const _twice of [1, 2]) await run()
  expect(mails().map(({ to }) => to)).toEqual([fresh.email])
})

test('who left a month ago and agreed to news is offered the way back by a signed link, and counts once they joined again', async () => {
  await switchOn('coming-back')
  const left = () => {
    const person = world.addMember({ subscription: { status: 'canceled' } })
    setSubscription(person, { created: ago(200), endedAt: ago(31) })
    return person
  }
  const [sam] = [left(), left()]
  await choose(sam, 'news', true)
  for (const _twice of [1, 2]) await run()
  expect(mails()).toMatchObject([{ to: sam.email, purpose: 'news' }])
  const link = /https?:\/\/\S+\/reactivate-delayed\?\S+/.exec(mails()[0]?.text ?? '')?.[0] ?? ''
  expect((await world.call(`/api/delayed-subscription${new URL(link).search}`)).status).toBe(200)
  await sendMail(world.ctx)
  expect(await of('coming-back')).toMatchObject({ arrived: 1, cameBack: 0 })
  const old = world.ctx.db
    .select()
    .from(subscriptions)
    .where(eq(subscriptions.id, subscriptionOf(sam)))
    .get()
  if (old) insertRow(world.ctx, subscriptions, { ...old, id: 'sub_again', status: 'active', created: ago(0) })
  expect(await of('coming-back')).toMatchObject({ arrived: 1, cameBack: 1 })
})

test('a run that is cut off goes on where it was, and a person hears at most one of them a day', async () => {
  await switchOn('not-seen')
  await switchOn('after-joining')
  const both = awayFor(15)
  setSubscription(both, { created: ago(5) })
  awayFor(16)
  world.ctx.sqlite.exec(`create trigger cut before insert on mail_outbox
    when (select count(*) from mail_outbox) = 1 begin select raise(abort, 'cut off'); end`)
  await expect(run()).rejects.toThrow('cut off')
  world.ctx.sqlite.exec('drop trigger cut')
  await run()
  expect(kinds().sort()).toEqual(['after-joining', 'not-seen'])
  expect(new Set(mails().map(({ to }) => to)).size).toBe(2)
})
