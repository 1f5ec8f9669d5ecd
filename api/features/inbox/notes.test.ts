import { beforeEach, describe, expect, test } from 'vitest'
import { auditEntries } from '#api/db/schema/audit.ts'
import { coachingApplication, rowsOf, waitingMail } from '#api/testing/enquiries.ts'
import type { TestPerson } from '#api/testing/people.ts'
import { type Call, readError, startWorld, type World } from '#api/testing/world.ts'

const day = 86_400_000

let world: World
let owner: TestPerson
let asOwner: Call
let about: string
beforeEach(async () => {
  world = startWorld()
  owner = world.addOwner()
  asOwner = world.signIn(owner)
  const sent = await world.call('/api/coaching-application', { body: coachingApplication })
  about = `/api/admin/inbox/coaching-applications/${(await sent.json()).id}`
})

const notes = async () => (await asOwner(`${about}/notes`)).json()
const mailsToSender = () => waitingMail(world).filter(({ cause }) => cause.startsWith('inbox:'))

test('a note is dated, signed, and mailed to nobody', async () => {
  expect(await notes()).toEqual([])
  const listed = await (await asOwner(`${about}/notes`, { body: { text: 'Rang twice.' } })).json()
  expect(listed).toEqual([
    {
      id: expect.any(String),
      kind: 'note',
      text: 'Rang twice.',
      author: 'Olive Hart',
      mailStatus: null,
      createdAt: world.ctx.now().toISOString(),
      version: 1,
    },
  ])
  expect(await notes()).toEqual(listed)
  expect(mailsToSender()).toEqual([])
  const nobody = asOwner(`/api/admin/inbox/contacts/${world.ctx.newId()}/notes`, { body: { text: 'x' } })
  expect((await nobody).status).toBe(404)
  expect((await asOwner(`${about}/notes`, { body: { text: ' ' } })).status).toBe(422)
})

test('a note is changed on the version that was read, once though its response was lost; a mail stays as it was sent', async () => {
  const [note] = await (await asOwner(`${about}/notes`, { body: { text: 'Rang twice.' } })).json()
  const change = (id: string, text: string) =>
    asOwner(`${about}/notes/${id}`, { method: 'PATCH', body: { text, version: 1 } })
  const changed = { ...note, text: 'Rang back.', version: 2 }
  for (const _ of ['first', 'again']) expect(await (await change(note.id, 'Rang back.')).json()).toEqual(changed)
  const late = await change(note.id, 'Never rang.')
  expect([late.status, (await late.json()).error.versions]).toEqual([
    409,
    { sent: { text: 'Never rang.', version: 1 }, current: changed },
  ])
  const [, mail] = await (await asOwner(`${about}/reply`, { body: { text: 'Friday at four?' } })).json()
  expect((await change(mail.id, 'Saturday at four?')).status).toBe(404)
  const elsewhere = `/api/admin/inbox/contacts/${world.ctx.newId()}/notes/${note.id}`
  expect((await asOwner(elsewhere, { method: 'PATCH', body: { text: 'x', version: 2 } })).status).toBe(404)
  expect(await notes()).toMatchObject([changed, { text: 'Friday at four?' }])
})

test('nobody is invited to join who is a member, or whose access the owners have ended; it isn’t offered either', async () => {
  const member = world.addMember({ email: coachingApplication.email })
  const invite = async () => {
    const { canInvite } = await (await asOwner(`${about}/invitation`)).json()
    const response = await asOwner(`${about}/invitation`, { body: { tierSlug: 'xl' } })
    expect(canInvite).toBe(response.ok)
    return [response.status, response.ok ? 'invited' : (await readError(response)).message]
  }
  expect(await invite()).toEqual([409, expect.stringMatching(/ is already a member\. Change their tier/)])
  world.ctx.sqlite.exec(`update users set accessOverride = 'revoked' where id = '${member.id}'`)
  expect(await invite()).toEqual([409, expect.stringMatching(/ has no access because you ended it\. Restore it/)])
  expect(mailsToSender()).toEqual([])
  world.ctx.sqlite.exec(`update users set accessOverride = null where id = '${member.id}'`)
  world.ctx.sqlite.exec(`update subscriptions set status = 'canceled'`)
  expect(await invite()).toEqual([200, 'invited'])
})

test('a reply is mailed, answered to the owner who wrote it, and kept with the fate of its mail', async () => {
  await asOwner(`${about}/reply`, { body: { text: 'Friday at four?\n\nWe ring you <then>.' } })
  expect(await notes()).toMatchObject([
    { kind: 'reply', text: 'Friday at four?\n\nWe ring you <then>.', mailStatus: 'waiting' },
  ])
  const [mail] = mailsToSender()
  expect(mail).toMatchObject({
    to: 'sam@example.com',
    replyTo: owner.email,
    subject: 'About your coaching application',
  })
  expect(mail?.text).toContain('Hello Sam,\n\nFriday at four?\n\nWe ring you <then>.')
  expect(mail?.html).toContain('We ring you &lt;then&gt;.')
  const audited = world.ctx.db.select().from(auditEntries).all()
  expect(audited).toMatchObject([{ actor: `user:${owner.id}`, action: 'inbox.reply' }])
  expect(JSON.stringify(audited)).not.toContain('Friday')
})

test('a mail that is sent again because its response was lost is one mail; to somebody else, or another one, it is its own', async () => {
  const members = [world.addMember(), world.addMember()]
  const send = async (at: number, wish: string) => {
    const path = `/api/admin/inbox/members/${members[at]?.id}/reply`
    return (await asOwner(path, { body: { text: 'The yard is shut on Friday.', wish } })).json()
  }
  const [wish, other] = [world.ctx.newId(), world.ctx.newId()]
  const first = await send(0, wish)
  expect(await send(0, wish)).toEqual(first)
  await send(1, wish)
  await send(0, other)
  expect(mailsToSender().map(({ to }) => to)).toEqual([members[0]?.email, members[1]?.email, members[0]?.email])
})

test('what was written goes with the application that it is about', async () => {
  const form = { firstName: 'Sam', lastName: 'Field', email: 'sam@example.com', phone: '07700 900123' }
  const words = { currentChallenges: 'Quoting', goals: 'Rest', whyJoin: 'A mate', hearAboutUs: 'Podcast' }
  const business = { businessName: 'Field', trade: 'Painter', businessStage: 'growing', yearsInTrade: '12' }
  const body = { ...form, ...words, ...business, agreeTerms: true }
  const { id } = await (await world.call('/api/membership-application', { body })).json()
  await asOwner(`/api/admin/inbox/membership-applications/${id}/notes`, { body: { text: 'Rang twice.' } })
  await asOwner(`/api/admin/membership-applications/${id}`, { method: 'DELETE' })
  expect(rowsOf(world, 'inbox_notes')).toEqual([])
})

describe('an invitation', () => {
  const invite = async () => {
    const { url } = await (await asOwner(`${about}/invitation`, { body: { tierSlug: 'xl' } })).json()
    return new URL(url)
  }
  const open = (query: string) => world.call(`/api/invitation${query}`)

  test('is a mailed, signed link that says its tier and whom it is for', async () => {
    const url = await invite()
    expect(url.pathname).toBe('/membership-application')
    expect(await (await open(url.search)).json()).toMatchObject({
      email: 'sam@example.com',
      firstName: 'Sam',
      lastName: 'Field',
      tierSlug: 'xl',
      tier: { slug: 'xl', prices: [{ every: 'month', net: 45_000 }] },
      freeMonths: 0,
    })
    const [mail] = mailsToSender()
    expect(mail).toMatchObject({ to: 'sam@example.com', subject: 'Your invitation to Alliance XL' })
    expect(mail?.text).toContain(url.href)
    expect(mail?.text).toContain('£540.00 a month with VAT')
    expect(await notes()).toMatchObject([{ kind: 'invitation', text: 'Alliance XL', mailStatus: 'waiting' }])
  })

  test('sent again because its response was lost is one mail, and its link works', async () => {
    const body = { tierSlug: 'xl', wish: world.ctx.newId() }
    await asOwner(`${about}/invitation`, { body })
    const { url } = await (await asOwner(`${about}/invitation`, { body })).json()
    expect((await open(new URL(url).search)).status).toBe(200)
    expect(mailsToSender()).toHaveLength(1)
    await asOwner(`${about}/invitation`, { body: { ...body, wish: world.ctx.newId() } })
    expect(mailsToSender()).toHaveLength(2)
  })

  test('ends after 14 days, and neither its words nor its signature can be changed', async () => {
    const { search } = await invite()
    const [body = '', signature] = search.replace('?invitation=', '').split('.')
    const said = JSON.parse(Buffer.from(body, 'base64url').toString())
    const changed = Buffer.from(JSON.stringify({ ...said, tierSlug: 'lite' })).toString('base64url')
    for (const query of [`${changed}.${signature}`, `${body}.x`, body, 'x', '.'])
      expect(await readError(await open(`?invitation=${query}`))).toMatchObject({
        status: 400,
        code: 'invalid_link',
        message: 'This invitation is invalid or has expired.',
      })
    world.forward(14 * day - 1)
    expect((await open(search)).status).toBe(200)
    world.forward(1)
    expect((await open(search)).status).toBe(400)
  })
})
