import { afterEach, beforeEach, expect, test } from 'vitest'
import { generationOf, renewGeneration } from '#api/db/generation.ts'
import type { TestPerson } from '#api/testing/people.ts'
import { startWorld, type World } from '#api/testing/world.ts'
import { createPhone, type Phone, type PhoneWorld } from '#pwa/sync/testing/phone.ts'
import {
  type AskingTab,
  ask,
  storedFiles,
  storedTexts,
  syncOf,
  threadOf,
  voiceNote,
  withQuestions,
} from '#pwa/sync/testing/questions.ts'

const day = 86_400_000

/** A site whose database can go back to an earlier copy, as `alliance backup restore` does. */
type Site = PhoneWorld & { world: World; backUp(): Buffer; restore(backup: Buffer): void }

function openSite(): Site {
  const site: Site = {
    world: startWorld(),
    ctx: { now: () => site.world.ctx.now() },
    handle: (request) => site.world.handle(request),
    forward: (ms) => site.world.forward(ms),
    backUp: () => site.world.ctx.sqlite.serialize(),
    restore: (copy) => {
      const [startsAt, old] = [site.world.ctx.now(), generationOf(site.world.ctx)]
      site.world.ctx.sqlite.close()
      site.world = startWorld({ copy, startsAt })
      renewGeneration(site.world.ctx, { old, newest: null })
    },
  }
  return site
}

let site: Site
let danny: TestPerson
let opened: { phone: Phone; tab: AskingTab }[]

beforeEach(() => {
  site = openSite()
  danny = site.world.addMember({ tier: 'standard' })
  opened = []
})

afterEach(() => {
  for (const { phone, tab } of opened) {
    tab.close()
    expect(phone.faults).toEqual([])
  }
  site.world.ctx.sqlite.close()
})

async function openPhone() {
  const phone = createPhone(site)
  phone.cookie = site.world.signIn(danny).cookie
  const tab = withQuestions(await phone.openTab(danny.id))
  opened.push({ phone, tab })
  return { phone, tab }
}

const sync = async (tab: AskingTab) => expect(await tab.questions.syncNow()).toBe('done')

test('after a restore the phone sends again what it had confirmed: question, message and every byte, once each', async () => {
  const { phone, tab } = await openPhone()
  const backup = site.backUp()
  const id = await ask(tab, { text: 'Asked', voice: voiceNote(90) })
  phone.wait(1000)
  await ask(tab, { text: 'Added', questionId: id }, 'thread')
  await sync(tab)
  const before = [storedTexts(site.world), storedFiles(site.world)]
  site.restore(backup)
  expect(storedTexts(site.world)).toEqual([])
  await sync(tab)
  expect([storedTexts(site.world), storedFiles(site.world)]).toEqual(before)
  await sync(tab)
  expect(storedTexts(site.world)).toEqual(['Asked', 'Added'])
  expect(await threadOf(tab, id)).toMatchObject({ state: { kind: 'sent' }, messages: [{}, {}] })
})

test('a copy that has the text but only half of the file gets the rest', async () => {
  const { phone, tab } = await openPhone()
  phone.network.next('deliver', 'deliver')
  let patches = 0
  let backup: Buffer | undefined
  const { fetch } = phone.network
  phone.network.fetch = fetch
  phone.platform.fetch = async (path, init) => {
    const response = await fetch(path, init)
    if (init.method === 'PATCH') patches += 1
    if (patches === 1) backup ??= site.backUp()
    return response
  }
  const again = withQuestions(await phone.openTab(danny.id))
  opened.push({ phone, tab: again })
  const id = await ask(again, { text: 'Long', voice: voiceNote(110) })
  await sync(again)
  expect(patches).toBeGreaterThan(0)
  if (backup === undefined) throw new Error('There’s no copy.')
  site.restore(backup)
  await sync(again)
  expect(storedFiles(site.world)).toMatchObject([{ isReady: 1 }])
  expect(await threadOf(again, id)).toMatchObject({ messages: [{ files: [{ state: 'ready' }] }] })
  tab.close()
})

test('a withdrawal goes again too, so that nothing withdrawn comes back, not even from another phone', async () => {
  const { tab: first } = await openPhone()
  const { tab: second } = await openPhone()
  const backup = site.backUp()
  const id = await ask(first, { text: 'Regretted', voice: voiceNote(3) })
  await sync(first)
  const withIt = site.backUp()
  await sync(second)
  await second.questions.withdraw(id)
  await sync(second)
  expect(storedTexts(site.world)).toEqual([])
  site.restore(withIt)
  expect(storedTexts(site.world)).toEqual(['Regretted'])
  await sync(second)
  expect(storedTexts(site.world)).toEqual([])
  site.restore(backup)
  await sync(second)
  await sync(first)
  expect(storedTexts(site.world)).toEqual([])
  expect((await threadOf(first, id))?.state).toEqual({ kind: 'withdrawn', isDone: true })
  expect([await first.store.questionFiles.count(), await first.store.questionBytes.count()]).toEqual([0, 0])
})

test('what’s confirmed is kept for 30 days, and then its bytes go', async () => {
  const { phone, tab } = await openPhone()
  await ask(tab, { text: 'Kept', voice: voiceNote(3) })
  await sync(tab)
  phone.wait(29 * day)
  phone.cookie = site.world.signIn(danny).cookie
  await sync(tab)
  expect([await tab.store.questionConfirmed.count(), await tab.store.questionFiles.count()]).toEqual([1, 1])
  phone.wait(2 * day)
  phone.cookie = site.world.signIn(danny).cookie
  await sync(tab)
  expect([await tab.store.questionConfirmed.count(), await tab.store.questionFiles.count()]).toEqual([0, 0])
  expect(await syncOf(tab)).toMatchObject({ waiting: 0 })
})
