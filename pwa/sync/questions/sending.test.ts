import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { TestPerson } from '#api/testing/people.ts'
import { photoOf, webmOf } from '#api/testing/question-files.ts'
import { startWorld, type World } from '#api/testing/world.ts'
import { flushFromServiceWorker } from '#pwa/sync/background.ts'
import { ourError } from '#pwa/sync/testing/network.ts'
import { createPhone, type Phone } from '#pwa/sync/testing/phone.ts'
import {
  type AskingTab,
  ask,
  chunksOf,
  rowsOf,
  storedContent,
  storedFiles,
  storedTexts,
  syncOf,
  threadOf,
  voiceNote,
  withQuestions,
  write,
} from '#pwa/sync/testing/questions.ts'

let world: World
let phone: Phone
let danny: TestPerson
let video: string
let tab: AskingTab
const opened: AskingTab[] = []

async function openTab() {
  const next = withQuestions(await phone.openTab(danny.id))
  opened.push(next)
  return next
}

beforeEach(async () => {
  world = startWorld()
  video =
    world.addVideos().find(({ isPublished, tierAccess }) => isPublished && tierAccess.includes('standard'))?.id ?? ''
  danny = world.addMember({ tier: 'standard' })
  phone = createPhone(world)
  phone.cookie = world.signIn(danny).cookie
  tab = await openTab()
})

afterEach(() => {
  for (const one of opened.splice(0)) one.close()
  expect(phone.faults).toEqual([])
})

const stateOf = async (id: string) => (await threadOf(tab, id))?.state
const paths = () => phone.network.sent.map(({ path }) => path.replace(/[0-9a-f-]{36}/, 'ID').split('?')[0])
const photo = async () => new Blob([new Uint8Array(await photoOf(640, 480))], { type: 'image/jpeg' })
const signInPage = { status: 200, body: '<html><body>Sign in to the Wi-Fi</body></html>' }

describe('without signal', () => {
  test('a question is kept with its photo and voice note, and is on the server once, byte for byte, once there’s signal', async () => {
    phone.isOnline = false
    const spoken = webmOf(20)
    const id = await ask(tab, { text: 'Is this valve shot?', photos: [await photo()], voice: chunksOf(spoken, 4_000) })
    expect(await threadOf(tab, id)).toMatchObject({
      state: { kind: 'waiting', why: null },
      messages: [
        {
          text: 'Is this valve shot?',
          files: [
            { kind: 'photo', isHere: true },
            { kind: 'voice', isHere: true },
          ],
        },
      ],
    })
    expect(phone.network.sent).toEqual([])
    expect(phone.backgroundSyncs).toBeGreaterThan(0)
    phone.isOnline = true
    expect(await tab.questions.syncNow()).toBe('done')
    expect(storedTexts(world)).toEqual(['Is this valve shot?'])
    const files = storedFiles(world)
    expect(files.map(({ isReady }) => isReady)).toEqual([1, 1])
    const voice = (await threadOf(tab, id))?.messages[0]?.files[1]
    expect(storedContent(world, voice?.id ?? '')).toEqual(new Uint8Array(spoken))
    expect(await stateOf(id)).toMatchObject({ kind: 'sent' })
    expect(await syncOf(tab)).toMatchObject({ waiting: 0, refused: 0, paused: null, isReachable: true })
  })

  test('pressed twice, and in two tabs at once, it’s one question', async () => {
    const other = await openTab()
    await write(tab, 'header', { text: 'Once only' })
    const presses = await Promise.all([
      tab.questions.ask('header'),
      tab.questions.ask('header'),
      other.questions.ask('header'),
    ])
    expect(presses.filter(({ kind }) => kind === 'kept')).toHaveLength(1)
    await Promise.all([tab.questions.syncNow(), other.questions.syncNow()])
    expect(storedTexts(world)).toEqual(['Once only'])
    expect(paths().filter((path) => path === '/api/members/questions')).not.toHaveLength(0)
  })

  test('the service worker sends what a closed page left', async () => {
    phone.isOnline = false
    const app = phone.openApp()
    await app.start()
    const engine = await app.enter(danny.id)
    await write(tab, 'header', { text: 'Left behind', voice: voiceNote(3) })
    await tab.questions.ask('header')
    await engine.settled()
    app.close()
    tab.close()
    phone.isOnline = true
    await flushFromServiceWorker(phone.platform)
    expect(storedTexts(world)).toEqual(['Left behind'])
    expect(storedFiles(world)).toMatchObject([{ isReady: 1 }])
  })
})

describe('the order', () => {
  test('all texts go first, then the files in pieces of 64 kB at most, and a tick made meanwhile goes before the next piece', async () => {
    phone.isOnline = false
    const pieces: number[] = []
    const { fetch } = phone.network
    phone.network.fetch = async (path, init) => {
      if (init.method === 'PATCH' && init.body instanceof Uint8Array) {
        pieces.push(init.body.length)
        if (pieces.length === 2) await tab.tick(video, true)
      }
      return fetch(path, init)
    }
    phone.platform.fetch = (path, init) => phone.network.fetch(path, init)
    tab.close()
    tab = await openTab()
    await ask(tab, { text: 'First', voice: [new Blob([new Uint8Array(webmOf(110)), new Uint8Array(250_000)])] }, 'one')
    await ask(tab, { text: 'Second' }, 'two')
    phone.isOnline = true
    await tab.questions.syncNow()
    const order = paths()
    expect(order.slice(0, 2)).toEqual(['/api/members/questions', '/api/members/questions'])
    const tickAt = order.indexOf('/api/video-progress/sync')
    const sentBefore = order.slice(0, tickAt).filter((path) => path?.includes('question-files')).length
    expect(sentBefore).toBeLessThanOrEqual(2)
    expect(pieces.length).toBeGreaterThan(3)
    expect(Math.max(...pieces)).toBeLessThanOrEqual(64 * 1024)
  })

  test('a tick that failed and waits to try again goes before the next piece', async () => {
    phone.isOnline = false
    await ask(tab, { voice: voiceNote(350) })
    await tab.tick(video, true)
    phone.isOnline = true
    const { fetch } = phone.network
    phone.platform.fetch = (path, init) => {
      const isFirstTick = path === '/api/video-progress/sync' && !phone.network.sent.some((one) => one.path === path)
      if (isFirstTick) phone.network.next('lose-request')
      return fetch(path, init)
    }
    await tab.questions.syncNow()
    const order = paths()
    const [failed, again] = order.flatMap((path, index) => (path === '/api/video-progress/sync' ? [index] : []))
    const between = order.slice(failed, again).filter((path) => path?.includes('question-files'))
    expect(between.length).toBeLessThanOrEqual(1)
    expect(await tab.state()).toMatchObject({ pending: 0, sending: 0 })
  })
})

describe('a bad line', () => {
  test('lost answers and requests, repeats and pieces that arrive late leave each once, and every byte', async () => {
    phone.isOnline = false
    const spoken = new Uint8Array(webmOf(100))
    const id = await ask(tab, { text: 'Through thick and thin', voice: chunksOf(spoken, 4_000) })
    phone.isOnline = true
    for (const delivery of ['lose-response', 'lose-request', 'delay', 'twice', 'lose-response', 'deliver'] as const) {
      phone.network.usual = delivery
      await tab.questions.syncNow()
      phone.wait(400_000)
    }
    phone.network.usual = 'deliver'
    while (phone.network.delayed.length > 0) await phone.network.delayed.shift()?.()
    expect(await tab.questions.syncNow()).toBe('done')
    expect(storedTexts(world)).toEqual(['Through thick and thin'])
    const file = (await threadOf(tab, id))?.messages[0]?.files[0]
    expect(file?.state).toBe('ready')
    expect(storedContent(world, file?.id ?? '')).toEqual(spoken)
  })

  test.each([
    ['a Wi-Fi sign-in page', signInPage, { isReachable: false }, 'signal'],
    ['a busy server', ourError(503, 'busy'), { isReachable: true }, 'server'],
    ['too many requests', ourError(429, 'rate_limited', { 'retry-after': '90' }), { isReachable: true }, 'many'],
    ['a gateway’s own page', { status: 502, body: '<html>Bad Gateway</html>' }, { isReachable: true }, 'server'],
  ])('%s: it’s kept, says why, and goes later', async (_what, delivery, sync, why) => {
    phone.network.usual = delivery
    const id = await ask(tab, { text: 'Kept meanwhile', voice: voiceNote(2) })
    await tab.questions.settled()
    expect(await stateOf(id)).toEqual({ kind: 'waiting', why })
    expect(await syncOf(tab)).toMatchObject({ waiting: 2, paused: null, ...sync })
    phone.network.usual = 'deliver'
    phone.wait(91_000)
    expect(await tab.questions.syncNow()).toBe('done')
    expect([storedTexts(world), storedFiles(world).length]).toEqual([['Kept meanwhile'], 1])
  })

  test('a server that fails at one alone takes the others', async () => {
    phone.isOnline = false
    await ask(tab, { text: 'Trips it up' }, 'one')
    await ask(tab, { text: 'Goes through' }, 'two')
    phone.isOnline = true
    phone.network.next(ourError(500, 'internal'))
    expect(await tab.questions.syncNow()).toBe('later')
    expect(storedTexts(world)).toEqual(['Goes through'])
    phone.wait(400_000)
    expect(await tab.questions.syncNow()).toBe('done')
    expect(storedTexts(world).sort()).toEqual(['Goes through', 'Trips it up'])
  })
})

describe('what stops it', () => {
  test('a login that ended: it’s kept, says so, and goes after the next', async () => {
    phone.cookie = null
    const id = await ask(tab, { text: 'Waits for a login' })
    await tab.questions.settled()
    expect(await stateOf(id)).toEqual({ kind: 'waiting', why: 'login' })
    phone.cookie = world.signIn(danny).cookie
    await tab.questions.syncNow()
    expect(storedTexts(world)).toEqual(['Waits for a login'])
  })

  test('a membership that ended: it’s kept, says so, and goes once there’s access again', async () => {
    phone.network.usual = ourError(403, 'forbidden')
    const id = await ask(tab, { text: 'Waits for access', voice: voiceNote(2) })
    await tab.questions.settled()
    expect(await stateOf(id)).toEqual({ kind: 'waiting', why: 'access' })
    phone.network.usual = 'deliver'
    expect(await tab.questions.syncNow()).toBe('done')
    expect([storedTexts(world), storedFiles(world).length]).toEqual([['Waits for access'], 1])
  })

  test('someone else’s login sends and shows nothing', async () => {
    const id = await ask(tab, { text: 'Mine' })
    await tab.questions.settled()
    phone.cookie = world.signIn(world.addMember({ email: 'other@example.com', tier: 'standard' })).cookie
    await ask(tab, { text: 'Mine too' })
    expect(await tab.questions.syncNow()).toBe('paused')
    expect(storedTexts(world)).toEqual(['Mine'])
    expect((await rowsOf(tab)).map(({ excerpt }) => excerpt).sort()).toEqual(['Mine', 'Mine too'])
    expect(await stateOf(id)).toMatchObject({ kind: 'sent' })
  })

  test('above the month’s number it waits with its day, what’s added to others goes, and on that day it goes too', async () => {
    world.ctx.sqlite.prepare("update membership_tiers set questionsPerMonth = 3 where slug = 'lite'").run()
    danny = world.addMember({ email: 'lite@example.com', tier: 'lite' })
    phone.cookie = world.signIn(danny).cookie
    tab = await openTab()
    const first = await ask(tab, { text: 'One' })
    for (const text of ['Two', 'Three']) await ask(tab, { text })
    const fourth = await ask(tab, { text: 'Four' })
    await ask(tab, { text: 'And this', questionId: first }, 'thread')
    await tab.questions.syncNow()
    expect(storedTexts(world).sort()).toEqual(['And this', 'One', 'Three', 'Two'])
    const state = await stateOf(fourth)
    if (state?.kind !== 'later') throw new Error(`It doesn’t wait for its day: ${JSON.stringify(state)}`)
    expect(state.from).toMatch(/^\d{4}-\d\d-01$/)
    phone.isOnline = false
    const fifth = await ask(tab, { text: 'Five' }, 'fifth')
    expect(await stateOf(fifth)).toEqual(state)
    phone.isOnline = true
    phone.wait(Date.parse(state.from) + 86_400_000 - world.ctx.now().getTime())
    phone.cookie = world.signIn(danny).cookie
    phone.wake('visible')
    await tab.questions.syncNow()
    expect(storedTexts(world)).toContain('Four')
    expect(await stateOf(fourth)).toMatchObject({ kind: 'sent' })
  })

  test('a refused one keeps its text and reason, holds up no other, and can be mended or deleted', async () => {
    phone.isOnline = false
    const id = await ask(tab, { text: 'No good', voice: voiceNote(2) }, 'one')
    await ask(tab, { text: 'Fine' }, 'two')
    phone.isOnline = true
    phone.network.next(ourError(422, 'invalid'))
    await tab.questions.syncNow()
    expect(storedTexts(world)).toEqual(['Fine'])
    expect(await threadOf(tab, id)).toMatchObject({
      state: { kind: 'refused', message: 'Refused: invalid.' },
      messages: [{ text: 'No good', files: [{ isHere: true }] }],
    })
    const key = await tab.questions.mend(id)
    if (key === null) throw new Error('It can’t be mended.')
    await tab.questions.changeDraft(key, { text: 'Better' })
    expect(await tab.questions.ask(key)).toMatchObject({ kind: 'kept', questionId: id })
    expect(await tab.questions.syncNow()).toBe('done')
    expect(storedTexts(world).sort()).toEqual(['Better', 'Fine'])
    expect(storedFiles(world)).toMatchObject([{ isReady: 1 }])
  })

  test('what was added to a refused one waits until that’s mended and goes after it, or is deleted with it', async () => {
    phone.isOnline = false
    const ids = [await ask(tab, { text: 'No good' }, 'one'), await ask(tab, { text: 'Hopeless' }, 'two')]
    // Ids of one moment have no order.
    phone.wait(1)
    for (const questionId of ids) await ask(tab, { text: 'And this', questionId, voice: voiceNote(2) }, 'thread')
    phone.isOnline = true
    phone.network.next(ourError(422, 'invalid'), ourError(422, 'invalid'))
    expect(await tab.questions.syncNow()).toBe('done')
    const [mended, deleted] = await Promise.all(ids.map((id) => tab.questions.mend(id)))
    if (!mended || !deleted) throw new Error('It can’t be mended.')
    expect(await tab.questions.syncNow()).toBe('done')
    expect(storedTexts(world)).toEqual([])
    phone.wait(60_000)
    await tab.questions.changeDraft(mended, { text: 'Better' })
    await tab.questions.ask(mended)
    await tab.questions.discardDraft(deleted)
    expect(await tab.questions.syncNow()).toBe('done')
    expect(storedTexts(world).sort()).toEqual(['And this', 'Better'])
    expect(storedFiles(world)).toMatchObject([{ isReady: 1 }])
    expect([await tab.store.questionOutbox.count(), await tab.questions.readUnsent()]).toEqual([0, []])
  })

  test('what can’t be right is said before it’s kept', async () => {
    await write(tab, 'header', { text: 'x'.repeat(4_001) })
    expect(await tab.questions.ask('header')).toEqual({ kind: 'invalid', message: 'Use up to 4000 characters.' })
    await write(tab, 'header', { text: '  ' })
    expect(await tab.questions.ask('header')).toEqual({ kind: 'empty' })
    expect(await rowsOf(tab)).toEqual([])
  })
})

describe('withdrawing', () => {
  const files = () => tab.store.questionFiles.count()
  const bytes = () => tab.store.questionBytes.count()

  test('one that was never sent just goes', async () => {
    phone.isOnline = false
    const id = await ask(tab, { text: 'Never mind', voice: voiceNote(2) })
    await tab.questions.withdraw(id)
    expect([await files(), await bytes(), await rowsOf(tab)]).toEqual([0, 0, []])
    phone.isOnline = true
    await tab.questions.syncNow()
    expect(storedTexts(world)).toEqual([])
  })

  test('a sent one’s files leave the phone at once, also without signal, and the server’s once it hears', async () => {
    const id = await ask(tab, { text: 'Never mind', voice: voiceNote(2) })
    await tab.questions.syncNow()
    phone.isOnline = false
    await tab.questions.withdraw(id)
    expect([await files(), await bytes(), await stateOf(id)]).toEqual([0, 0, { kind: 'withdrawn', isDone: false }])
    phone.isOnline = true
    expect(await tab.questions.syncNow()).toBe('done')
    expect([storedTexts(world), storedFiles(world)]).toEqual([[], []])
    expect(await stateOf(id)).toEqual({ kind: 'withdrawn', isDone: true })
  })

  test('a membership that ended holds up the next question and no withdrawal, whether the phone knows of it or not', async () => {
    const end = () => world.ctx.sqlite.prepare(`update subscriptions set status = 'canceled'`).run()
    const [early, late] = [
      await ask(tab, { text: 'Never mind' }),
      await ask(tab, { text: 'Nor this', voice: voiceNote(2) }),
    ]
    await tab.questions.syncNow()
    end()
    phone.isOnline = false
    const kept = await ask(tab, { text: 'Waits for access' })
    await tab.questions.withdraw(early)
    phone.isOnline = true
    expect(await tab.questions.syncNow()).toBe('paused')
    expect([await stateOf(early), storedTexts(world)]).toEqual([{ kind: 'withdrawn', isDone: true }, ['Nor this']])
    phone.network.sent.length = 0
    await tab.questions.withdraw(late)
    await tab.questions.settled()
    expect([await stateOf(late), storedTexts(world), storedFiles(world)]).toEqual([
      { kind: 'withdrawn', isDone: true },
      [],
      [],
    ])
    expect(paths()).toEqual(['/api/members/questions/ID/withdraw'])
    expect([await stateOf(kept), (await syncOf(tab)).paused]).toEqual([{ kind: 'waiting', why: 'access' }, 'access'])
  })

  test('while its request is still on the way, it’s withdrawn once that arrives', async () => {
    phone.network.next('delay')
    const id = await ask(tab, { text: 'Too late' })
    await tab.questions.settled()
    await tab.questions.withdraw(id)
    phone.wait(400_000)
    await tab.questions.syncNow()
    await phone.network.delayed.shift()?.()
    await tab.questions.syncNow()
    expect(storedTexts(world)).toEqual([])
    expect(await tab.store.questionOutbox.count()).toBe(0)
  })
})
