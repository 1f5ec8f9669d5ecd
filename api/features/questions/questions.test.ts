import { beforeEach, expect, test } from 'vitest'
import { countRows } from '#api/testing/joining.ts'
import { announcementOf, photoOf } from '#api/testing/question-files.ts'
import { asker, newMessage, newQuestion, sendFile } from '#api/testing/questions.ts'
import { readError, startOfTime, startWorld, type World } from '#api/testing/world.ts'

let world: World
let danny: ReturnType<typeof asker>
beforeEach(() => {
  world = startWorld()
  danny = asker(world, world.addMember())
})

const run = (sql: string, ...values: unknown[]) => world.ctx.sqlite.prepare(sql).run(...values)

/** An answer, as the owners' side writes one. */
function answer(questionId: string, text = 'Charge for the call-out.'): string {
  const [id, at] = [world.ctx.newId(), world.ctx.now().toISOString()]
  run(
    `insert into question_messages (id, questionId, author, ownerId, text, at, receivedAt) values (?, ?, 'coach', ?, ?, ?, ?)`,
    ...[id, questionId, world.addOwner().id, text, at, at],
  )
  run('update questions set answeredAt = ?, readByMemberAt = null, version = version + 1 where id = ?', at, questionId)
  return id
}

test('a question is asked once, however often it’s sent, and its first answer stands whatever comes with its id', async () => {
  const question = newQuestion(world)
  const asked = await (await danny.post('', question)).json()
  expect(asked.question).toMatchObject({ id: question.id, state: 'sent', version: 1, isUnread: false })
  expect(asked.question.messages).toMatchObject([
    { id: question.id, author: 'member', name: null, text: question.text },
  ])
  for (const again of [question, { ...question, text: 'Something else', files: [] }])
    expect((await (await danny.post('', again)).json()).question).toEqual(asked.question)
  const { questions, generation } = await danny.list()
  expect([questions, generation]).toEqual([[asked.question], asked.generation])
  expect(countRows(world, 'questions')).toBe(1)
})

test('what others asked isn’t found: neither read, added to, withdrawn nor sent again', async () => {
  const { id } = await danny.ask()
  const priya = asker(world, world.addMember())
  const tries = [
    priya.post('', newQuestion(world, { id })),
    priya.post(`/${id}/messages`, newMessage(world)),
    priya.post(`/${id}/withdraw`, {}),
    priya.post(`/${id}/read`, { messageId: id }),
    priya.post('', newQuestion(world, { files: [], id })),
  ]
  for (const one of tries) expect(await readError(await one)).toMatchObject({ code: 'not_found' })
  const own = await priya.ask()
  expect(await readError(await priya.post(`/${own.id}/messages`, newMessage(world, { id })))).toMatchObject({
    code: 'not_found',
  })
  expect((await priya.list()).questions.map((question) => question.id)).toEqual([own.id])
  expect((await danny.list()).questions.map((question) => question.id)).toEqual([id])
})

test('the list is sent again only once anything in it has changed', async () => {
  const { id } = await danny.ask()
  const { version } = await danny.list()
  const again = () => danny.call(`/api/members/questions?version=${version}`)
  world.forward(1000)
  expect((await again()).status).toBe(204)
  const last = answer(id)
  expect((await again()).status).toBe(200)
  const { questions } = await danny.list()
  expect(questions[0]).toMatchObject({ state: 'answered', isUnread: true })
  expect(questions[0]?.messages.at(-1)).toMatchObject({ id: last, author: 'coach', name: 'Olive' })
})

test('the ticks’ answers name another version once anything in their questions has changed, but not to an owner who views the site as them', async () => {
  const named = async (call = danny.call) => {
    const response = await call('/api/video-progress/sync', { body: { deviceId: 'd', changes: [] } })
    return (await response.json()).questions
  }
  expect(await named()).toBeUndefined()
  const photo = await photoOf()
  const file = announcementOf(world.ctx.newId(), 'photo', photo)
  const { id } = await danny.ask({ files: [file] })
  const told = [await named()]
  const after = async (change: () => unknown) => {
    world.forward(1000)
    await change()
    told.push(await named())
  }
  await after(() => sendFile(danny.call, file, photo))
  await after(() => answer(id))
  await after(() => danny.add(id, { text: 'It’s a combi.' }))
  await after(() => answer(id))
  const other = await danny.ask()
  await after(() => {})
  await after(() => danny.post(`/${other.id}/withdraw`, {}))
  expect(new Set(told).size).toBe(told.length)
  expect(await named()).toBe(told.at(-1))
  const owner = world.signIn(world.addOwner())
  await owner(`/api/admin/impersonate/${danny.person.id}`, { body: { reason: 'They rang' } })
  expect(await named(owner)).toBeUndefined()
})

test.each(['', ' \n ', '\u200b', '\u2800', '\u3164'])(
  'a question that nobody could read is refused: %j',
  async (text) => {
    const response = await danny.post('', newQuestion(world, { text }))
    expect(await readError(response)).toMatchObject({ status: 422 })
  },
)

test('a phone that was handed on keeps the questions of the one before to itself', async () => {
  const memberId = world.addMember().id
  const { id } = await danny.ask()
  for (const sent of [
    danny.post('', newQuestion(world, { memberId })),
    danny.post(`/${id}/messages`, newMessage(world, { memberId })),
    danny.post(`/${id}/withdraw`, { memberId }),
  ])
    expect(await readError(await sent)).toMatchObject({ status: 409, code: 'wrong_member' })
  expect((await danny.ask({ memberId: danny.person.id })).state).toBe('sent')
})

test('an owner who views the site as a member sees none of their questions, and asks nothing', async () => {
  const photo = await photoOf()
  const file = announcementOf(world.ctx.newId(), 'photo', photo)
  const { id } = await danny.ask({ files: [file] })
  await sendFile(danny.call, file, photo)
  const owner = world.signIn(world.addOwner())
  await owner(`/api/admin/impersonate/${danny.person.id}`, { body: { reason: 'They rang' } })
  expect((await (await owner('/api/members/questions')).json()).questions).toEqual([])
  for (const path of [`/api/members/question-files/${file.id}`, `/api/members/question-files/${file.id}/content`])
    expect((await owner(path)).status).toBe(404)
  expect((await owner('/api/members/questions', { body: newQuestion(world) })).status).toBe(403)
  expect((await owner(`/api/members/questions/${id}/withdraw`, { body: {} })).status).toBe(403)
  expect((await danny.list()).questions).toHaveLength(1)
})

test('without access a question is refused, and goes once access is back', async () => {
  const question = newQuestion(world)
  run(`update users set accessOverride = 'revoked' where id = ?`, danny.person.id)
  expect(await readError(await danny.post('', question))).toMatchObject({ status: 403, code: 'forbidden' })
  run('update users set accessOverride = null where id = ?', danny.person.id)
  expect((await danny.post('', question)).status).toBe(200)
})

test('without access an unanswered question can still be withdrawn, with all that was in it', async () => {
  const photo = await photoOf()
  const file = announcementOf(world.ctx.newId(), 'photo', photo)
  const { id } = await danny.ask({ files: [file] })
  await sendFile(danny.call, file, photo)
  run(`update subscriptions set status = 'canceled'`)
  expect((await danny.call('/api/members/questions')).status).toBe(403)
  expect(await danny.withdraw(id)).toMatchObject({ state: 'withdrawn', messages: [] })
  for (const table of ['question_messages', 'question_files', 'question_file_contents'])
    expect([table, countRows(world, table)]).toEqual([table, 0])
})

test('what’s added makes a question wait again, closed or answered; what was said before the answer came does too', async () => {
  const { id } = await danny.ask()
  const waitsSince = () => world.ctx.sqlite.prepare('select waitsSince from questions').pluck().get()
  world.forward(60_000)
  await danny.add(id, { text: 'It’s a combi.' })
  expect(waitsSince()).toBe(startOfTime.toISOString())
  answer(id)
  run('update questions set closedAt = ? where id = ?', world.ctx.now().toISOString(), id)
  expect((await danny.list()).questions[0]?.state).toBe('closed')
  const message = newMessage(world, { at: startOfTime.toISOString(), text: 'Written in the cellar' })
  world.forward(60_000)
  for (const _ of ['once', 'twice']) await danny.post(`/${id}/messages`, message)
  const [question] = (await danny.list()).questions
  expect(question).toMatchObject({ state: 'sent', answeredAt: null })
  expect(question?.messages.map(({ text }) => text)).toContain(message.text)
  expect(question?.messages).toHaveLength(4)
  expect(waitsSince()).toBe(new Date(startOfTime.getTime() + 60_000).toISOString())
})

test('an answer is unread until its last message was on the screen', async () => {
  const { id } = await danny.ask()
  world.forward(1000)
  const first = answer(id)
  world.forward(1000)
  const second = answer(id, 'And take a photo.')
  expect((await danny.read(id, first)).isUnread).toBe(true)
  expect((await danny.read(id, world.ctx.newId())).isUnread).toBe(true)
  const read = await danny.read(id, second)
  expect([read.isUnread, read.readByMemberAt]).toEqual([false, world.ctx.now().toISOString()])
  world.forward(1000)
  expect(await danny.read(id, second)).toEqual(read)
})

test('a withdrawn question leaves neither words nor bytes, and never comes back', async () => {
  const photo = await photoOf()
  const files = [announcementOf(world.ctx.newId(), 'photo', photo), announcementOf(world.ctx.newId(), 'photo', photo)]
  const question = newQuestion(world, { files })
  await danny.post('', question)
  await sendFile(danny.call, { id: files[0]?.id ?? '' }, photo)
  await danny.piece(files[1]?.id ?? '', 0, photo.subarray(0, 100))
  for (const _ of ['once', 'twice'])
    expect(await danny.withdraw(question.id)).toMatchObject({ state: 'withdrawn', messages: [] })
  for (const table of ['question_messages', 'question_files', 'question_file_pieces', 'question_file_contents'])
    expect([table, countRows(world, table)]).toEqual([table, 0])
  const again = await (await danny.post('', question)).json()
  expect(again.question).toMatchObject({ state: 'withdrawn', messages: [] })
  expect(await danny.add(question.id)).toMatchObject({ state: 'withdrawn', messages: [] })
  expect((await danny.file({ id: files[0]?.id ?? '' })).status).toBe(404)
  expect((await danny.piece(files[1]?.id ?? '', 100, photo.subarray(100, 200))).status).toBe(404)
})

test('a withdrawal that comes before its question keeps it away, as after a restore', async () => {
  const question = newQuestion(world)
  expect(await danny.withdraw(question.id)).toMatchObject({ state: 'withdrawn', messages: [] })
  expect((await (await danny.post('', question)).json()).question).toMatchObject({ state: 'withdrawn', messages: [] })
  expect((await danny.list()).allowance.leftToday).toBe(20)
})

test('an answered question can’t be withdrawn; one that was closed without an answer can', async () => {
  const [answered, closed] = [await danny.ask(), await danny.ask()]
  answer(answered.id)
  const refused = await readError(await danny.post(`/${answered.id}/withdraw`, {}))
  expect(refused).toMatchObject({ status: 409, code: 'conflict', message: expect.stringContaining('answered') })
  run('update questions set closedAt = ? where id = ?', world.ctx.now().toISOString(), closed.id)
  expect((await danny.withdraw(closed.id)).state).toBe('withdrawn')
})

test('a question names a video its member may see; a deleted one keeps its title, and one of another tier is refused at its field', async () => {
  const videos = world.addVideos()
  const lite = asker(world, world.addMember({ tier: 'lite' }))
  const open = videos.find((video) => video.isPublished && video.tierAccess.includes('lite'))
  const other = videos.find((video) => video.isPublished && !video.tierAccess.includes('lite'))
  const about = (videoId = '') => ({ kind: 'video' as const, videoId, seconds: 83 })
  const asked = await lite.ask({ origin: 'video', about: about(open?.id) })
  expect(asked.video).toEqual({ id: open?.id, slug: open?.slug, title: open?.title, seconds: 83 })
  const refused = await readError(await lite.post('', newQuestion(world, { about: about(other?.id) })))
  expect(refused).toMatchObject({ status: 422, fields: { 'about.videoId': expect.stringContaining('can’t open') } })
  run('delete from member_videos where id = ?', open?.id)
  expect((await lite.list()).questions[0]?.video).toEqual({ id: null, slug: null, title: open?.title, seconds: 83 })
  // It was deleted while the question waited on the phone.
  expect((await lite.ask({ about: about(open?.id) })).video).toMatchObject({
    id: null,
    title: 'A video that’s been deleted',
  })
})

test('a question names a call of its own member, and no other', async () => {
  const addCall = (userId: string) => {
    const id = world.ctx.newId()
    run(
      `insert into coaching_bookings (id, name, email, bookingDate, kind, coach, startsAt, endsAt, userId, createdAt, updatedAt)
        values (?, 'Danny', 'danny@alliance.test', '2026-06-15', 'catch-up', ?, '2026-06-15T08:00:00.000Z', '2026-06-15T08:15:00.000Z', ?, ?, ?)`,
      ...[id, `coach-${id}`, userId, world.ctx.now().toISOString(), world.ctx.now().toISOString()],
    )
    return id
  }
  const [own, other] = [addCall(danny.person.id), addCall(world.addMember().id)]
  const asked = await danny.ask({ origin: 'call', about: { kind: 'call', callId: own } })
  expect(asked.call).toEqual({ id: own, startsAt: '2026-06-15T08:00:00.000Z' })
  const refused = await danny.post('', newQuestion(world, { about: { kind: 'call', callId: other } }))
  expect(await readError(refused)).toMatchObject({
    status: 422,
    fields: { 'about.callId': 'We can’t find this call.' },
  })
})

test('text of 4,001 characters, with control characters or without anything is refused at its field; right-to-left and links are kept', async () => {
  for (const text of ['x'.repeat(4001), 'bell\u0007', ''])
    expect(await readError(await danny.post('', newQuestion(world, { text })))).toMatchObject({
      status: 422,
      code: 'invalid',
    })
  for (const text of ['x'.repeat(4000), 'שלום', 'https://example.com/?a=<b>'])
    expect((await danny.ask({ text })).messages[0]?.text).toBe(text)
})

test('the list takes as many statements for many questions as for few', async () => {
  let statements = 0
  const counted = startWorld({ onStatement: (text) => (statements += Number(text !== 'pragma data_version')) })
  const member = asker(counted, counted.addMember())
  const measure = async () => {
    await member.call('/api/auth/user')
    statements = 0
    await member.list()
    return statements
  }
  const ask = async () => {
    const { id } = await member.ask({ files: [announcementOf(counted.ctx.newId(), 'photo', Buffer.from('photo'))] })
    await member.add(id)
  }
  await ask()
  const few = await measure()
  for (let at = 0; at < 12; at += 1) await ask()
  expect(await measure()).toBe(few)
})

test('reading a member’s questions goes through no table', async () => {
  const heard = new Set<string>()
  const planned = startWorld({ onStatement: (text) => /^select.*"question(s|_\w+)"/i.test(text) && heard.add(text) })
  const member = asker(planned, planned.addMember())
  const { id } = await member.ask()
  await member.add(id)
  await member.list()
  const plans = [...heard].flatMap((text) =>
    planned.ctx.sqlite
      .prepare<[], { detail: string }>(`explain query plan ${text}`)
      .all()
      .map(({ detail }) => ({ detail, text })),
  )
  expect(plans.length).toBeGreaterThan(5)
  expect(plans.filter(({ detail }) => detail.startsWith('SCAN'))).toEqual([])
})
