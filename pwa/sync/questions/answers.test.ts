import { afterEach, beforeEach, expect, test } from 'vitest'
import { insertRow } from '#api/db/insert.ts'
import { questionFileContents } from '#api/db/schema/questions.ts'
import { touchQuestion } from '#api/features/questions/arrival-service.ts'
import type { TestPerson } from '#api/testing/people.ts'
import { announcementOf, webmOf } from '#api/testing/question-files.ts'
import { sendFile } from '#api/testing/questions.ts'
import { startWorld, type World } from '#api/testing/world.ts'
import { watchDatabase } from '#pwa/sync/database.ts'
import { changeFlush } from '#pwa/sync/progress/store.ts'
import { createTraceWiper } from '#pwa/sync/session/wipe.ts'
import { createPhone, type Phone } from '#pwa/sync/testing/phone.ts'
import { type AskingTab, ask, rowsOf, syncOf, threadOf, voiceNote, withQuestions } from '#pwa/sync/testing/questions.ts'
import { openQuestions } from './open-questions.ts'
import { readThreads } from './views.ts'

let world: World
let phone: Phone
let danny: TestPerson
let owner: TestPerson
let tab: AskingTab

beforeEach(async () => {
  world = startWorld()
  danny = world.addMember({ tier: 'standard' })
  owner = world.addOwner()
  phone = createPhone(world)
  phone.cookie = world.signIn(danny).cookie
  tab = withQuestions(await phone.openTab(danny.id))
})
afterEach(() => {
  tab.close()
  expect(phone.faults).toEqual([])
})

async function answer(id: string, text: string, spoken?: Uint8Array) {
  const call = world.signIn(owner)
  const { question } = await (await call(`/api/admin/questions/${id}`)).json()
  const files = spoken ? [announcementOf(world.ctx.newId(), 'voice', spoken)] : []
  const body = { id: world.ctx.newId(), text, files, version: question.version }
  const response = await call(`/api/admin/questions/${id}/answers`, { method: 'POST', body })
  expect(response.status).toBe(200)
  const [file] = files
  if (file && spoken) await sendFile(call, file, spoken, 'admin')
  return file?.id ?? ''
}

const contents = () => phone.network.sent.filter(({ path }) => path.includes('/content')).length

test('an answer is on the phone with its voice note, fetched once, and both open without signal', async () => {
  const id = await ask(tab, { text: 'What would you charge?' })
  await tab.questions.syncNow()
  const spoken = webmOf(5)
  const file = await answer(id, 'Two hundred', spoken)
  await tab.questions.syncNow()
  expect(await rowsOf(tab)).toMatchObject([{ id, state: { kind: 'answered' }, isUnread: true }])
  await tab.questions.syncNow()
  expect(contents()).toBe(1)
  phone.isOnline = false
  const blob = await tab.questions.readFile(file)
  expect(blob && new Uint8Array(await blob.arrayBuffer())).toEqual(new Uint8Array(spoken))
  expect(await threadOf(tab, id)).toMatchObject({
    messages: [{ author: 'member' }, { author: 'coach', text: 'Two hundred', files: [{ isHere: true }] }],
    canWithdraw: false,
  })
  expect(contents()).toBe(1)
})

test('an answer is told of with the ticks, in the middle of a visit, and a launch with nothing new asks for no questions', async () => {
  const id = await ask(tab, { text: 'What would you charge?' })
  await tab.questions.syncNow()
  await tab.engine.syncNow()
  const launch = async () => {
    tab.close()
    tab = withQuestions(await phone.openTab(danny.id))
    phone.network.sent.length = 0
    tab.questions.start()
    await tab.questions.settled()
    await tab.engine.syncNow()
    return phone.network.sent.map(({ path }) => path.split('?')[0])
  }
  await launch()
  // The question waits for the coach, and still nothing is asked.
  expect(await launch()).toEqual(['/api/video-progress/sync'])
  await answer(id, 'Two hundred')
  await tab.engine.syncNow()
  await expect.poll(() => rowsOf(tab)).toMatchObject([{ id, state: { kind: 'answered' }, isUnread: true }])
})

test('news that the member isn’t let in for is asked for once, until they look again', async () => {
  const id = await ask(tab, { text: 'What would you charge?' })
  await tab.questions.syncNow()
  await tab.engine.syncNow()
  await tab.questions.syncNow()
  tab.questions.start()
  await tab.questions.settled()
  phone.network.sent.length = 0
  await answer(id, 'Two hundred')
  await tab.engine.syncNow()
  world.ctx.sqlite.prepare(`update users set accessOverride = 'revoked' where id = ?`).run(danny.id)
  await expect.poll(async () => (await syncOf(tab)).paused).toBe('access')
  // A read beside that for news, which comes with each change.
  for (let reads = 0; reads < 3; reads++) {
    await new Promise<void>((resolve) => {
      const stop = watchDatabase(tab.store.dexie, async () => {}, {
        changed: () => {
          stop()
          resolve()
        },
        failed: phone.platform.report,
        isKnown: true,
      })
      changeFlush(tab.store, {})
    })
    await tab.questions.settled()
  }
  phone.wait(6 * 60_000)
  await tab.questions.settled()
  expect(phone.network.sent.filter(({ path }) => path.startsWith('/api/members/questions'))).toHaveLength(1)
})

test('a voice note that came before its copy for every phone is fetched again as that', async () => {
  const id = await ask(tab, { text: 'What would you charge?' })
  await tab.questions.syncNow()
  const spoken = webmOf(5)
  const file = await answer(id, 'Two hundred', spoken)
  await tab.questions.syncNow()
  const here = async () => {
    const blob = await tab.questions.readFile(file)
    return [blob?.type.split(';')[0], blob?.size]
  }
  expect(await here()).toEqual(['audio/webm', spoken.byteLength])
  world.forward(1000)
  insertRow(world.ctx, questionFileContents, { fileId: file, form: 'aac', content: Buffer.from('every phone’s') })
  touchQuestion(world.ctx, id)
  phone.isOnline = false
  expect(await here()).toEqual(['audio/webm', spoken.byteLength])
  phone.isOnline = true
  await tab.questions.syncNow()
  phone.isOnline = false
  expect(await here()).toEqual(['audio/mp4', Buffer.from('every phone’s').byteLength])
})

test('two tabs fetch it once, and a phone without room shows it without keeping it', async () => {
  const id = await ask(tab, { text: 'And this?' })
  await tab.questions.syncNow()
  tab.room = { usage: 99, quota: 100, isSafe: true }
  const file = await answer(id, '', webmOf(5))
  await tab.questions.syncNow()
  expect([contents(), await tab.store.questionFiles.count()]).toEqual([0, 0])
  expect((await tab.questions.readFile(file))?.size).toBeGreaterThan(0)
  expect(await tab.store.questionFiles.count()).toBe(0)
  tab.room = { usage: 0, quota: 1e9, isSafe: true }
  const other = withQuestions(await phone.openTab(danny.id))
  await Promise.all([tab.questions.syncNow(), other.questions.syncNow()])
  expect(contents()).toBe(2)
  other.close()
})

test('read without signal, it isn’t unread any more, and the server hears of it', async () => {
  const id = await ask(tab, { text: 'Read me' })
  await tab.questions.syncNow()
  await answer(id, 'Answered')
  await tab.questions.syncNow()
  phone.isOnline = false
  await tab.questions.markRead(id)
  expect(await rowsOf(tab)).toMatchObject([{ isUnread: false }])
  expect(await tab.store.questions.where('isUnread').equals(1).count()).toBe(0)
  phone.isOnline = true
  expect(await tab.questions.syncNow()).toBe('done')
  const list = await (await world.signIn(danny)('/api/members/questions')).json()
  expect(list.questions).toMatchObject([{ isUnread: false }])
})

test('above the member’s own limit what has been here longest goes, but nothing that isn’t sent', async () => {
  await ask(tab, { text: 'Old', voice: voiceNote(60) }, 'old')
  await tab.questions.syncNow()
  phone.wait(60_000)
  await ask(tab, { text: 'New', voice: voiceNote(20) }, 'new')
  await tab.questions.syncNow()
  const files = await tab.store.questionFiles.toArray()
  const newest = Math.min(...files.map(({ bytes }) => bytes))
  const { emptyShelf } = await import('#pwa/sync/progress/kept.ts')
  await tab.store.meta.put({ ...emptyShelf, mostBytes: newest })
  phone.isOnline = false
  await ask(tab, { text: 'Unsent', voice: voiceNote(40) }, 'unsent')
  phone.network.usual = 'lose-request'
  await tab.questions.syncNow()
  expect((await tab.store.questionFiles.toArray()).map(({ state }) => state)).toEqual(['waiting'])
})

test('two hundred questions are listed without reading what was said in any', async () => {
  const id = await ask(tab, { text: 'The first' })
  await tab.questions.syncNow()
  const row = await tab.store.questions.get(id)
  if (!row) throw new Error('It isn’t listed.')
  await tab.store.questions.bulkPut(Array.from({ length: 200 }, (_, index) => ({ ...row, id: `q${index}` })))
  tab.store.questionRecords.hook('reading', () => {
    throw new Error('A record was read.')
  })
  expect((await readThreads(tab.store)).rows).toHaveLength(201)
})

test('a withdrawal that came after the answer says so in its thread, and nothing of it is left to send', async () => {
  const id = await ask(tab, { text: 'Never mind' })
  await tab.questions.syncNow()
  phone.isOnline = false
  await tab.questions.withdraw(id)
  await answer(id, 'Two hundred')
  phone.isOnline = true
  await tab.questions.syncNow()
  expect(await threadOf(tab, id)).toMatchObject({ state: { kind: 'answered' }, withdrawRefusal: expect.any(String) })
  expect([await tab.questions.readUnsent(), (await rowsOf(tab))[0]?.hasRefusal]).toEqual([[], false])
})

test('the icon’s number goes once the answer has been read, and with the logout', async () => {
  const shown: number[] = []
  const badged = {
    setAppBadge: async (count: number) => void shown.push(count),
    clearAppBadge: async () => void shown.push(0),
  }
  Object.assign(navigator, badged)
  const id = await ask(tab, { text: 'What would you charge?' })
  await tab.questions.syncNow()
  await answer(id, 'Two hundred')
  const questions = openQuestions(tab.engine)
  await questions.syncNow()
  await expect.poll(() => shown.at(-1)).toBe(1)
  await questions.markRead(id)
  await expect.poll(() => shown.at(-1)).toBe(0)
  shown.length = 0
  await createTraceWiper({ isKeyRetained: () => true, clearMemory: async () => {}, platform: phone.platform })()
  expect(shown).toEqual([0])
  for (const name of Object.keys(badged)) Reflect.deleteProperty(navigator, name)
})
