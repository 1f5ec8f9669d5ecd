import * as v from 'valibot'
import { beforeEach, describe, expect, test } from 'vitest'
import { insertRow } from '#api/db/insert.ts'
import { questionFiles } from '#api/db/schema/questions.ts'
import { runJob } from '#api/features/operations/jobs/service.ts'
import { addQuestion } from '#api/testing/asked-rows.ts'
import { waitingMail } from '#api/testing/enquiries.ts'
import type { TestPerson } from '#api/testing/people.ts'
import { type Call, readError, startWorld, type World } from '#api/testing/world.ts'
import {
  InboxQuestionList,
  PublishedQuestionList,
  QuestionRecord,
  SavedReply,
  SavedReplyList,
} from '#shared/contract/questions.ts'
import { shortReference } from '#shared/rules/id.ts'

const hour = 3_600_000

let world: World
let sam: TestPerson
let asSam: Call
let asOwner: Call
let videos: ReturnType<World['addVideos']> | undefined
beforeEach(() => {
  world = startWorld()
  videos = undefined
  sam = world.addMember({ email: 'sam@example.com', firstName: 'Sam', lastName: 'Fields' })
  asSam = world.signIn(sam)
  asOwner = world.signIn(world.addOwner())
})

const list = async (query = '') => {
  const response = await asOwner(`/api/admin/questions${query}`)
  expect(response.status).toBe(200)
  return v.parse(InboxQuestionList, await response.json())
}
const record = async (id: string) => v.parse(QuestionRecord, await (await asOwner(`/api/admin/questions/${id}`)).json())
const recordOf = async (response: Response | Promise<Response>) => {
  const body = await (await response).json()
  expect([(await response).status, body]).toEqual([200, body])
  return v.parse(QuestionRecord, body)
}
const answer = (id: string, more: object = {}, call = asOwner) =>
  call(`/api/admin/questions/${id}/answers`, {
    body: { id: world.ctx.newId(), text: 'Bleed it first.', version: 1, ...more },
  })
/** A video that Sam may open, or mayn't. */
function videoFor(isTheirs: boolean): string {
  videos ??= world.addVideos()
  const found = videos.find(
    ({ tierAccess, isPublished }) => isPublished && tierAccess.includes('standard') === isTheirs,
  )
  return found?.id ?? ''
}
const mails = () => waitingMail(world).filter(({ to }) => to === 'sam@example.com')

describe('the list', () => {
  test('has what waits, the longest wait first, and says who asked what about which video', async () => {
    const videoId = videoFor(true)
    const late = addQuestion(world.ctx, { userId: sam.id, text: 'Second' })
    const at = new Date(world.ctx.now().getTime() - hour).toISOString()
    const early = addQuestion(world.ctx, { userId: sam.id, text: 'First', videoId, videoTitle: 'Boilers', at })
    const photo = { kind: 'photo', position: 0, bytes: 10, sha256: '0'.repeat(64) } as const
    insertRow(world.ctx, questionFiles, { ...photo, id: world.ctx.newId(), messageId: late })
    const rows = await list()
    expect(rows.map(({ id, excerpt }) => [id, excerpt])).toEqual([
      [early, 'First'],
      [late, 'Second'],
    ])
    expect(rows[0]).toMatchObject({
      member: { id: sam.id, name: 'Sam Fields', email: 'sam@example.com', tier: 'Alliance' },
      video: { id: videoId, title: 'Boilers', seconds: 12 },
      state: 'sent',
      waitsSince: at,
      isComing: false,
    })
    expect(rows[1]).toMatchObject({ photos: 1, voiceNotes: 0, isComing: true, video: null })
  })

  test('goes by pages with a total, by filter, and by person or words', async () => {
    const ids = Array.from({ length: 5 }, (_, at) => {
      world.forward(1000)
      return addQuestion(world.ctx, { userId: sam.id, text: `Number ${at}` })
    })
    const kim = world.addMember({ email: 'kim@example.com', firstName: 'Kim' })
    const other = addQuestion(world.ctx, { userId: kim.id, text: 'Where do I find the café’s invoice?' })
    expect((await answer(ids[0] ?? '')).status).toBe(200)
    const seen: string[] = []
    let path: string | null = '/api/admin/questions?filter=all&limit=2'
    while (path !== null) {
      const response = await asOwner(path)
      if (seen.length === 0) expect(response.headers.get('x-total-count')).toBe('6')
      seen.push(...v.parse(InboxQuestionList, await response.json()).map(({ id }) => id))
      path = /<(.+)>/.exec(response.headers.get('link') ?? '')?.[1] ?? null
    }
    expect(seen).toEqual([...ids.slice(1), other, ids[0]])
    expect((await list('?filter=answered')).map(({ id }) => id)).toEqual([ids[0]])
    expect((await list('?filter=closed')).length).toBe(0)
    expect((await list('?q=kim')).map(({ id }) => id)).toEqual([other])
    expect((await list('?q=CAFE')).map(({ id }) => id)).toEqual([other])
    expect((await list('?q=bleed&filter=all')).map(({ id }) => id)).toEqual([ids[0]])
    expect((await asOwner('/api/admin/questions?filter=lost')).status).toBe(422)
  })

  test('finds one by the reference a terminal shows, and leaves out what was withdrawn', async () => {
    const [kept, gone] = [addQuestion(world.ctx, { userId: sam.id }), addQuestion(world.ctx, { userId: sam.id })]
    const reference = shortReference(kept)
    for (const given of [reference, reference.toLowerCase()])
      expect((await list(`?filter=all&reference=${given}`)).map(({ id }) => id)).toEqual([kept])
    expect((await asOwner('/api/admin/questions?reference=3C4D')).status).toBe(422)
    expect((await asSam(`/api/members/questions/${gone}/withdraw`, { body: {} })).status).toBe(200)
    const response = await asOwner('/api/admin/questions?filter=all')
    expect(response.headers.get('x-total-count')).toBe('1')
    expect(v.parse(InboxQuestionList, await response.json()).map(({ id }) => id)).toEqual([kept])
    // A link from before it was withdrawn says so.
    expect((await record(gone)).question.state).toBe('withdrawn')
  })

  test('is for owners alone', async () => {
    const id = addQuestion(world.ctx, { userId: sam.id })
    for (const path of ['', `/${id}`]) {
      expect((await asSam(`/api/admin/questions${path}`)).status).toBe(403)
      expect((await world.call(`/api/admin/questions${path}`)).status).toBe(401)
    }
  })
})

describe('an answer', () => {
  test('is in the thread, and its member is told once, however often it’s sent', async () => {
    const id = addQuestion(world.ctx, { userId: sam.id, text: 'Cold radiator?' })
    await asOwner(`/api/admin/questions/${id}/read`, { method: 'POST' })
    expect((await record(id)).question.state).toBe('read')
    const sent = { id: world.ctx.newId() }
    await recordOf(answer(id, sent))
    const { question } = await recordOf(answer(id, sent))
    expect(question).toMatchObject({ state: 'answered', isUnread: true, version: 2 })
    expect(question.messages.map(({ author, name, text }) => [author, name, text])).toEqual([
      ['member', null, 'Cold radiator?'],
      ['coach', 'Olive', 'Bleed it first.'],
    ])
    const [mail, ...rest] = mails()
    expect(rest).toEqual([])
    expect(mail).toMatchObject({ subject: 'Olive has answered your question' })
    expect(mail?.text).toContain(`/members/questions/${id}`)
    expect(mail?.text).not.toContain('Bleed it first.')
    expect(await list()).toEqual([])
  })

  test('of a second owner is refused with the first one’s, and goes once that was seen', async () => {
    const id = addQuestion(world.ctx, { userId: sam.id })
    await recordOf(answer(id))
    const owen = world.signIn(world.addUser({ isAdmin: true, firstName: 'Owen' }))
    const refused = await answer(id, { text: 'Change the pump.' }, owen)
    const { error } = await refused.json()
    expect([refused.status, error.code, error.message]).toEqual([
      409,
      'version_conflict',
      'Olive has answered since you opened this. Read it first.',
    ])
    const current = v.parse(QuestionRecord, error.versions.current)
    expect(current.question.messages.at(-1)?.text).toBe('Bleed it first.')
    const { question } = await recordOf(
      answer(id, { text: 'Change the pump.', version: current.question.version }, owen),
    )
    expect(question.messages.map(({ name }) => name)).toEqual([null, 'Olive', 'Owen'])
  })

  test('points only to a video the member may open, or a post that’s out', async () => {
    const id = addQuestion(world.ctx, { userId: sam.id })
    const [closed, open] = [videoFor(false), videoFor(true)]
    expect(await readError(await answer(id, { videoId: closed }))).toMatchObject({
      status: 422,
      fields: { videoId: 'They can’t open this video. Choose another.' },
    })
    expect(await readError(await answer(id, { postSlug: 'no-such-post' }))).toMatchObject({ status: 422 })
    const { question } = await recordOf(answer(id, { text: '', videoId: open }))
    expect(question.messages.at(-1)?.link).toMatchObject({
      kind: 'video',
      path: expect.stringMatching(/^\/members\/videos\//),
    })
  })

  test('reaches whose access has ended as an email that holds it', async () => {
    const kim = world.addMember({ email: 'sam@example.org', subscription: { status: 'canceled' } })
    const id = addQuestion(world.ctx, { userId: kim.id })
    await recordOf(answer(id, { text: 'Bleed it first.\n\nThen ring me.' }))
    const mail = waitingMail(world).find(({ to }) => to === 'sam@example.org')
    expect(mail?.text).toContain('Bleed it first.\n\nThen ring me.')
    expect(mail?.text).not.toContain('/members/questions/')
    expect((await list('?filter=all'))[0]?.member.tier).toBeNull()
  })

  test('and closing leave no private word in the audit log', async () => {
    const id = addQuestion(world.ctx, { userId: sam.id, text: 'Secret' })
    await recordOf(answer(id, { text: 'Hush' }))
    const entries = JSON.stringify(world.ctx.sqlite.prepare('select action, targetId, detail from audit_entries').all())
    expect(entries).toContain('question.answered')
    expect(entries).not.toMatch(/Secret|Hush/)
  })

  test('with a voice note announces it, and takes no photo', async () => {
    const id = addQuestion(world.ctx, { userId: sam.id })
    const file = { id: world.ctx.newId(), bytes: 1000, sha256: 'a'.repeat(64) }
    expect((await answer(id, { files: [{ ...file, kind: 'photo' }] })).status).toBe(422)
    const { question } = await recordOf(answer(id, { text: '', files: [{ ...file, kind: 'voice' }] }))
    expect(question.messages.at(-1)?.files).toMatchObject([{ id: file.id, state: 'coming', received: 0 }])
    expect(mails()).toEqual([])
    world.forward(hour)
    await runJob(world.ctx, 'question-files')
    expect(mails()[0]?.text).toContain('There’s a voice note on its way.')
  })
})

test('a question is closed and reopened, and neither twice is a fault', async () => {
  const id = addQuestion(world.ctx, { userId: sam.id })
  const step = (what: string, version: number) => asOwner(`/api/admin/questions/${id}/${what}`, { body: { version } })
  expect((await recordOf(step('close', 1))).question).toMatchObject({ state: 'closed', version: 2 })
  expect((await recordOf(step('close', 1))).question.version).toBe(2)
  expect((await readError(await step('reopen', 1))).code).toBe('version_conflict')
  expect((await recordOf(step('reopen', 2))).question.state).toBe('sent')
})

test('the record has the earlier questions of that member, the last first', async () => {
  const first = addQuestion(world.ctx, { userId: sam.id, text: 'First' })
  world.forward(hour)
  const second = addQuestion(world.ctx, { userId: sam.id, text: 'Second' })
  const third = addQuestion(world.ctx, { userId: world.addMember().id })
  expect((await record(second)).earlier).toMatchObject([{ id: first, excerpt: 'First', state: 'sent' }])
  expect((await record(third)).earlier).toEqual([])
})

describe('publishing', () => {
  const publish = (id: string, body: object) => asOwner(`/api/admin/questions/${id}/published`, { method: 'PUT', body })
  const words = { question: 'Why is one radiator cold?', answer: 'Bleed it.' }

  test('needs the member’s tick and an answer; the member is told once, and others read it without a name', async () => {
    const videoId = videoFor(true)
    const mine = addQuestion(world.ctx, { userId: sam.id })
    expect(await readError(await publish(mine, { ...words, videoId, version: 0 }))).toMatchObject({ status: 409 })
    const id = addQuestion(world.ctx, { userId: sam.id, mayPublish: true })
    expect((await readError(await publish(id, { ...words, videoId, version: 0 }))).message).toMatch(/Answer it first/)
    await recordOf(answer(id))
    const asAsked = { ...words, question: 'why is the furthest radiator cold' }
    expect(await readError(await publish(id, { ...asAsked, videoId, version: 0 }))).toMatchObject({
      status: 422,
      fields: { question: 'That’s word for word what they wrote. Put it in your own words.' },
    })
    await recordOf(publish(id, { ...words, videoId, version: 0 }))
    const { published, question } = await recordOf(publish(id, { ...words, videoId, version: 0 }))
    expect(question.publishedAt).not.toBeNull()
    await recordOf(publish(id, { ...words, answer: 'Bleed it, then ring.', videoId, version: 1 }))
    expect((await readError(await publish(id, { ...words, videoId, version: 1 }))).code).toBe('version_conflict')
    expect(
      mails().filter(({ subject }) => subject === 'We’ve published your question, without your name'),
    ).toHaveLength(1)

    const kim = world.signIn(world.addMember({ email: 'kim@example.com' }))
    const below = async (call: Call) =>
      v.parse(PublishedQuestionList, await (await call(`/api/members/videos/${videoId}/questions`)).json())
    expect(await below(kim)).toEqual([
      { id: published?.id, question: words.question, answer: 'Bleed it, then ring.', useful: 0, isUsefulToMe: false },
    ])
    const useful = `/api/members/published-questions/${published?.id}/useful`
    for (let press = 0; press < 2; press += 1) expect((await kim(useful, { method: 'PUT' })).status).toBe(200)
    expect((await below(asSam))[0]).toMatchObject({ useful: 1, isUsefulToMe: false })
    expect((await below(kim))[0]).toMatchObject({ useful: 1, isUsefulToMe: true })
    for (let press = 0; press < 2; press += 1) expect((await kim(useful, { method: 'DELETE' })).status).toBe(200)
    expect((await below(kim))[0]).toMatchObject({ useful: 0, isUsefulToMe: false })

    const takeDown = `/api/admin/published-questions/${published?.id}`
    for (let press = 0; press < 2; press += 1) expect((await asOwner(takeDown, { method: 'DELETE' })).status).toBe(200)
    expect((await record(id)).published).toBeNull()
    expect(await below(kim)).toEqual([])
    expect((await kim(useful, { method: 'PUT' })).status).toBe(404)
  })

  test('shows nothing below a video of another tier, and nothing to who isn’t a member', async () => {
    const closed = videoFor(false)
    expect((await asSam(`/api/members/videos/${closed}/questions`)).status).toBe(404)
    expect((await world.call(`/api/members/videos/${closed}/questions`)).status).toBe(401)
  })
})

test('saved replies are added once a key, changed by version, and removed', async () => {
  const body = { title: 'Figures', text: 'What did you charge?' }
  const headers = { 'idempotency-key': world.ctx.newId() }
  const add = async () =>
    v.parse(SavedReply, await (await asOwner('/api/admin/saved-replies', { body, headers })).json())
  const reply = await add()
  expect(await add()).toEqual(reply)
  const path = `/api/admin/saved-replies/${reply.id}`
  const change = (text: string, version: number) => asOwner(path, { method: 'PUT', body: { ...body, text, version } })
  expect((await change('And spend?', 1)).status).toBe(200)
  expect((await change('And spend?', 1)).status).toBe(200)
  expect((await readError(await change('Or not?', 1))).code).toBe('version_conflict')
  const all = async () => v.parse(SavedReplyList, await (await asOwner('/api/admin/saved-replies')).json())
  expect(await all()).toEqual([{ ...reply, text: 'And spend?', version: 2 }])
  expect((await asOwner(path, { method: 'DELETE' })).status).toBe(200)
  expect(await all()).toEqual([])
})
