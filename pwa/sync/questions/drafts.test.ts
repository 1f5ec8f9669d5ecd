import { IDBFactory, IDBKeyRange } from 'fake-indexeddb'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { TestPerson } from '#api/testing/people.ts'
import { photoOf, webmOf } from '#api/testing/question-files.ts'
import { startWorld, type World } from '#api/testing/world.ts'
import type { Platform } from '#pwa/sync/platform.ts'
import type { SyncSession } from '#pwa/sync/session/session.ts'
import { createSpare } from '#pwa/sync/spare.ts'
import { createPhone, type Phone } from '#pwa/sync/testing/phone.ts'
import {
  type AskingTab,
  ask,
  chunksOf,
  storedContent,
  storedFiles,
  storedTexts,
  threadOf,
  voiceNote,
  withQuestions,
  write,
} from '#pwa/sync/testing/questions.ts'

let world: World
let phone: Phone
let danny: TestPerson
let tab: AskingTab

beforeEach(async () => {
  world = startWorld()
  danny = world.addMember({ tier: 'standard' })
  phone = createPhone(world)
  phone.cookie = world.signIn(danny).cookie
  tab = await openTab()
})
afterEach(() => {
  tab.close()
  expect(phone.faults).toEqual([])
})

async function openTab() {
  const next = withQuestions(await phone.openTab(danny.id))
  next.questions.start()
  await next.questions.settled()
  return next
}

async function reload() {
  tab.close()
  tab = await openTab()
}

const photo = async () => new Blob([new Uint8Array(await photoOf(64, 48))], { type: 'image/jpeg' })
const draft = () => tab.questions.readDraft('header')

test('what was typed, added and said is there after a reload, and sent with it', async () => {
  const spoken = new Uint8Array(webmOf(6))
  await write(tab, 'header', { text: 'Half a thought', photos: [await photo()] })
  const writer = await tab.questions.startVoice('header', 'audio/webm')
  const [first, second] = chunksOf(spoken, Math.ceil(spoken.length / 2))
  if (!first || !second) throw new Error('A recording has two halves.')
  await writer.add(first, 1_000)
  await writer.add(second, 2_000)
  // The battery is flat before the recording has ended.
  await reload()
  expect(await draft()).toMatchObject({
    text: 'Half a thought',
    photos: [{ type: 'image/jpeg' }],
    voice: { bytes: spoken.length, durationMs: 2_000, isOpen: true },
  })
  const outcome = await tab.questions.ask('header')
  expect(outcome.kind).toBe('kept')
  expect(await tab.questions.syncNow()).toBe('done')
  expect(storedTexts(world)).toEqual(['Half a thought'])
  expect(storedContent(world, writer.fileId)).toEqual(spoken)
})

test('what another tab says while this one sends isn’t lost', async () => {
  const spoken = new Uint8Array(webmOf(6))
  await write(tab, 'header', { text: 'Two tabs', photos: [await photo()] })
  // Its photo is hashed first.
  phone.wait(1_000)
  const writer = await tab.questions.startVoice('header', 'audio/webm')
  const chunks = chunksOf(spoken, Math.ceil(spoken.length / 3))
  let said = 0
  const say = async () => {
    const chunk = chunks[said]
    said += 1
    if (chunk) await writer.add(chunk, said * 1_000)
  }
  await say()
  const slow = {
    ...phone.platform,
    subtle: Object.assign(Object.create(crypto.subtle), {
      digest: async (name: string, bytes: BufferSource) => {
        const digest = await crypto.subtle.digest(name, bytes)
        await say()
        return digest
      },
    }),
  }
  const other = withQuestions(await phone.openTab(danny.id, slow))
  expect(await other.questions.ask('header')).toMatchObject({ kind: 'kept' })
  expect(await tab.questions.syncNow()).toBe('done')
  expect(storedContent(world, writer.fileId)).toEqual(spoken)
  // What's said after that isn't in what was sent, so it isn't taken for kept.
  await expect(writer.add(new Blob(['more']), 7_000)).rejects.toMatchObject({ fault: 'recording' })
  other.close()
})

test('an empty recording leaves the draft as it was, and the next one is taken', async () => {
  await write(tab, 'header', { text: 'Before' })
  const empty = await tab.questions.startVoice('header', 'audio/webm')
  await empty.add(new Blob([]), 0)
  expect(await empty.finish()).toBeNull()
  expect((await draft())?.voice).toBeNull()
  await write(tab, 'header', { text: 'After', voice: voiceNote(2) })
  expect(await tab.questions.ask('header')).toMatchObject({ kind: 'kept' })
})

test('a recording that’s thrown away leaves nothing, and chunks that come after it neither', async () => {
  const writer = await tab.questions.startVoice('header', 'audio/webm')
  const [chunk = new Blob()] = voiceNote(2)
  await writer.add(chunk, 1_000)
  await writer.discard()
  await writer.add(chunk, 2_000)
  expect((await draft())?.voice).toBeNull()
  expect([await tab.store.questionFiles.count(), await tab.store.questionBytes.count()]).toEqual([0, 0])
})

test('a recording that another tab throws away isn’t taken for kept by the one that records', async () => {
  const other = withQuestions(await phone.openTab(danny.id))
  const writer = await tab.questions.startVoice('header', 'audio/webm')
  const [chunk = new Blob()] = voiceNote(2)
  await writer.add(chunk, 1_000)
  await other.questions.removeFile(writer.fileId)
  await expect(writer.add(chunk, 2_000)).rejects.toMatchObject({ fault: 'recording' })
  other.close()
})

test('while one tab records, another can’t record into the same draft, and what’s said stays', async () => {
  const other = withQuestions(await phone.openTab(danny.id))
  const writer = await tab.questions.startVoice('header', 'audio/webm')
  const [chunk = new Blob()] = voiceNote(2)
  await writer.add(chunk, 1_000)
  await expect(other.questions.startVoice('header', 'audio/webm')).rejects.toMatchObject({ fault: 'recording' })
  expect(await writer.finish()).toMatchObject({ bytes: chunk.size, isOpen: false })
  other.close()
})

test('a draft holds three photos, none empty and none above 400 kB', async () => {
  for (let count = 0; count < 3; count++) await tab.questions.addPhoto('header', await photo())
  await expect(tab.questions.addPhoto('header', await photo())).rejects.toMatchObject({ fault: 'too-many' })
  await expect(tab.questions.addPhoto('other', new Blob([]))).rejects.toMatchObject({ fault: 'empty' })
  await expect(tab.questions.addPhoto('other', new Blob([new Uint8Array(400 * 1024 + 1)]))).rejects.toMatchObject({
    fault: 'too-large',
  })
  const [one] = (await draft())?.photos ?? []
  await tab.questions.removeFile(one?.id ?? '')
  expect((await draft())?.photos).toHaveLength(2)
})

test('on a full phone the photo is refused by name, and text, photos and voice that were there stay and are sent', async () => {
  await write(tab, 'header', { text: 'Keep me', photos: [await photo()], voice: voiceNote(2) })
  tab.store.questionBytes.hook('creating', () => {
    throw new DOMException('The phone is full.', 'QuotaExceededError')
  })
  await expect(tab.questions.addPhoto('header', await photo())).rejects.toMatchObject({ fault: 'full' })
  await reload()
  expect(await draft()).toMatchObject({ text: 'Keep me', photos: [{}], voice: {} })
  await tab.questions.ask('header')
  await tab.questions.syncNow()
  expect([storedTexts(world), storedFiles(world).length]).toEqual([['Keep me'], 2])
})

test('text typed on a page that’s gone before its database took it is in the draft at the next opening', async () => {
  tab.store.dexie.backendDB().close()
  await tab.questions.changeDraft('header', { text: 'Typed last' }).catch(() => {})
  await reload()
  expect((await draft())?.text).toBe('Typed last')
  expect(phone.platform.storage.keys()).toEqual([])
})

test('deleted, a draft leaves nothing', async () => {
  await write(tab, 'header', { text: 'Gone', photos: [await photo()], voice: voiceNote(2) })
  await tab.questions.discardDraft('header')
  expect(await draft()).toBeNull()
  expect([await tab.store.questionFiles.count(), await tab.store.questionBytes.count()]).toEqual([0, 0])
  expect(phone.platform.storage.keys()).toEqual([])
})

test('a logout names what isn’t sent, one by one, and leaves nothing of it', async () => {
  phone.isOnline = false
  const app = phone.openApp()
  await app.start()
  const engine = await app.enter(danny.id)
  await ask(tab, { text: 'Unsent', photos: [await photo()] })
  await write(tab, 'other', { text: 'Half written', voice: voiceNote(2) })
  expect(await tab.questions.readUnsent()).toMatchObject([
    { kind: 'question', name: 'Unsent', photos: 1, hasVoice: false, state: 'waiting' },
    { kind: 'draft', name: 'Half written', photos: 0, hasVoice: true, state: 'draft' },
  ])
  await engine.settled()
  await app.logout()
  app.close()
  expect((await phone.databases()).filter((name) => name.startsWith('alliance-member'))).toEqual([])
})

test('a login that was ended from elsewhere seals what isn’t sent, and the same member finds and sends it', async () => {
  phone.isOnline = false
  const app = phone.openApp()
  await app.start()
  await app.enter(danny.id)
  await ask(tab, { text: 'Unsent secret', voice: voiceNote(60) })
  await write(tab, 'other', { text: 'Half secret', photos: [await photo()] })
  tab.close()
  phone.isOnline = true
  phone.network.usual = 'lose-request'
  await app.logout()
  app.close()
  expect((await phone.databases()).filter((name) => name.startsWith('alliance-member'))).toEqual([])
  phone.network.usual = 'deliver'
  const next = phone.openApp()
  await next.start()
  phone.cookie = world.signIn(danny).cookie
  await (await next.enter(danny.id)).settled()
  tab = withQuestions(await phone.openTab(danny.id))
  expect(await tab.questions.readDraft('other')).toMatchObject({ text: 'Half secret', photos: [{}] })
  expect(await tab.questions.syncNow()).toBe('done')
  expect(storedTexts(world)).toEqual(['Unsent secret'])
  expect(storedFiles(world)).toMatchObject([{ isReady: 1 }])
  next.close()
})

test('what a second login’s end seals takes nothing of the first’s, though that never came back', async () => {
  async function endedElsewhere(app: SyncSession) {
    tab.close()
    phone.network.usual = 'lose-request'
    await app.logout()
    app.close()
    phone.network.usual = 'deliver'
  }
  const first = phone.openApp()
  await first.start()
  await first.enter(danny.id)
  phone.isOnline = false
  await ask(tab, { text: 'First secret', voice: voiceNote(2) })
  await write(tab, 'other', { text: 'First half', photos: [await photo()] })
  await endedElsewhere(first)

  // The part that puts it back can't be had: the second asking for its name fails.
  let names = 0
  const subtle = new Proxy(crypto.subtle, {
    get:
      (own, name) =>
      async (...given: unknown[]) => {
        if (name === 'sign') names += 1
        if (name === 'sign' && names === 2) throw new Error('This part doesn’t come.')
        return Reflect.apply(Reflect.get(own, name), own, given)
      },
  })
  const second = phone.openApp({ ...phone.platform, subtle })
  await second.start()
  phone.cookie = world.signIn(danny).cookie
  await second.enter(danny.id)
  expect(phone.faults.splice(0)).toHaveLength(1)
  tab = withQuestions(await phone.openTab(danny.id))
  await ask(tab, { text: 'Second secret', voice: voiceNote(3) })
  await write(tab, 'other', { text: 'Second half' })
  await endedElsewhere(second)

  const third = phone.openApp()
  await third.start()
  phone.cookie = world.signIn(danny).cookie
  await (await third.enter(danny.id)).settled()
  phone.isOnline = true
  tab = withQuestions(await phone.openTab(danny.id))
  const drafts = (await tab.questions.readDrafts()).map(({ text, photos }) => `${text}, ${photos.length}`)
  expect(drafts.sort()).toEqual(['First half, 1', 'Second half, 0'])
  expect(await tab.questions.syncNow()).toBe('done')
  expect(storedTexts(world).sort()).toEqual(['First secret', 'Second secret'])
  expect(storedFiles(world)).toMatchObject([{ isReady: 1 }, { isReady: 1 }])
  third.close()
})

test('what was sent isn’t named', async () => {
  const id = await ask(tab, { text: 'Sent', voice: voiceNote(2) })
  await tab.questions.syncNow()
  expect(await threadOf(tab, id)).toMatchObject({ state: { kind: 'sent' } })
  expect(await tab.questions.readUnsent()).toEqual([])
})

/** Where the browser's databases fail, this page's are in memory, and the next page's are new. */
const inMemory = (): Platform => ({
  ...phone.platform,
  database: {
    spare: createSpare({
      load: async () => ({ indexedDB: new IDBFactory(), IDBKeyRange }),
      tell: () => {},
      restart: () => {},
      isShown: () => true,
      isReplaced: () => true,
      isNeeded: true,
    }),
  },
})

async function openInMemory() {
  tab = withQuestions(await phone.openTab(danny.id, inMemory()))
  tab.questions.start()
  await tab.questions.settled()
}

test('in memory and without signal a second question leaves the first as it is, and both texts outlive the page', async () => {
  tab.close()
  await openInMemory()
  phone.network.usual = 'lose-request'
  const first = await ask(tab, { text: 'First' })
  const second = await ask(tab, { text: 'Second' })
  expect([await threadOf(tab, first), await threadOf(tab, second)]).toMatchObject([
    { excerpt: 'First' },
    { excerpt: 'Second' },
  ])
  tab.close()
  await openInMemory()
  expect((await tab.questions.readDrafts()).map(({ text }) => text).sort()).toEqual(['First', 'Second'])
  // Sent under the id they had, should the page before have got one through.
  phone.network.usual = 'deliver'
  for (const { key } of await tab.questions.readDrafts()) await tab.questions.ask(key)
  await tab.questions.syncNow()
  expect(storedTexts(world).sort()).toEqual(['First', 'Second'])
  expect(phone.platform.storage.keys()).toEqual([])
})

test('in memory what’s sent, withdrawn or deleted isn’t there again at the next opening', async () => {
  tab.close()
  await openInMemory()
  await ask(tab, { text: 'Sent' })
  await tab.questions.syncNow()
  phone.network.usual = 'lose-request'
  await tab.questions.withdraw(await ask(tab, { text: 'Withdrawn' }))
  await tab.questions.discard(await ask(tab, { text: 'Deleted' }))
  tab.close()
  await openInMemory()
  expect(await tab.questions.readDrafts()).toEqual([])
  expect(phone.platform.storage.keys()).toEqual([])
})
