import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserContext, Page } from '@playwright/test'
import * as v from 'valibot'
import { expect, fillLogin, phone, test, toastOf } from './fixtures.ts'
import { leaveRoomFor20kB } from './full-phone.ts'
import { openList, progressByTitle, rowOf, syncLine, tick } from './members-steps.ts'
import { joinOverHttp, newPerson, ownPassword } from './people.ts'
import { expectNothingStoredOf } from './stored-data.ts'

test.use({
  ...phone,
  expectedComplaints: [/UnknownError|IndexedDB|indexedDB|backing store|Quota|stores don’t respond/i],
})

const title = 'The year on one page'

const notice = (page: Page, line: RegExp) => page.locator('.notices').getByText(line)

/** The ids of the ticks that this page sends. */
function followTicks(page: Page): Set<string> {
  const ids = new Set<string>()
  page.on('request', (request) => {
    if (!request.url().endsWith('/api/video-progress/sync')) return
    const sent = v.parse(v.object({ changes: v.array(v.object({ id: v.string() })) }), request.postDataJSON())
    for (const { id } of sent.changes) ids.add(id)
  })
  return ids
}

/** Logs in by the form and reads the line within five seconds; then what's ticked goes to the server, once. */
async function walk(page: Page, email: string, line: RegExp) {
  const ids = followTicks(page)
  await page.addInitScript(() => {
    const { open } = IDBFactory.prototype
    let asked = 0
    IDBFactory.prototype.open = function (...args) {
      asked ||= performance.now()
      return open.apply(this, args)
    }
    new MutationObserver((_changes, observer) => {
      if (!document.querySelector('.notices .banner')) return
      Object.assign(window, { toldAfter: performance.now() - asked })
      observer.disconnect()
    }).observe(document, { subtree: true, childList: true })
  })
  await page.goto('/login')
  await fillLogin(page, email, ownPassword)
  await expect(notice(page, line)).toBeVisible()
  expect(await page.evaluate(() => Reflect.get(window, 'toldAfter'))).toBeLessThan(5_000)
  await page.waitForURL('**/members')
  await expect(page.getByRole('heading', { name: 'Strategy' })).toBeVisible()
  await tick(page, title)
  await expect(syncLine(page)).toContainText('Your ticks are saved')
  await expect.poll(async () => (await progressByTitle(page.context().request))[title]).toBe(true)
  expect(ids.size).toBe(1)
  // Nothing is kept, so all of it comes from the server again.
  await openList(page)
  await expect(rowOf(page, title).getByRole('button', { name: 'Mark Incomplete' })).toBeVisible()
  // A tick, and gone in the same moment.
  await rowOf(page, title)
    .getByRole('button', { name: 'Mark Incomplete' })
    .evaluate((button) => {
      if (button instanceof HTMLElement) button.click()
      location.href = '/members/calls'
    })
  await page.waitForURL('**/members/calls')
  await expect.poll(async () => (await progressByTitle(page.context().request))[title]).toBe(false)
  // Not every request of a page that goes is told.
  expect(ids.size).toBeLessThanOrEqual(2)
  await openList(page)
  await expect(rowOf(page, title).getByRole('button', { name: 'Mark Complete' })).toBeVisible()
  // This page can mend it in the same way.
  await expect(notice(page, line)).toBeVisible()
}

async function logOut(page: Page) {
  await page.getByRole('link', { name: 'Logout' }).click()
  await expect(page).toHaveURL('/')
  await page.goto('/members')
  await expect(page.getByText('Access Required').first()).toBeVisible()
}

async function joinMember(context: BrowserContext) {
  const person = newPerson('Nora', 'Shelfless')
  await joinOverHttp(context.request, person)
  await context.clearCookies()
  return person.email
}

test('AUTH-1 MEMB-10 PROG-01 where the browser’s databases fail, login and ticks go straight to the server, and the page says so', async ({
  page,
  context,
}) => {
  const email = await joinMember(context)
  await page.addInitScript(() => {
    IDBFactory.prototype.open = () => {
      throw new DOMException('Internal error opening backing store', 'UnknownError')
    }
  })
  await walk(page, email, /storage isn’t working/)
  await logOut(page)
})

test('AUTH-1 MEMB-10 PROG-01 where a page may not even ask for the databases, it’s the same', { tag: '@full' }, async ({
  page,
  context,
}) => {
  const email = await joinMember(context)
  await page.addInitScript(() => {
    Object.defineProperty(window, 'indexedDB', {
      configurable: true,
      get() {
        throw new DOMException('Storage is blocked.', 'SecurityError')
      },
    })
  })
  await walk(page, email, /storage isn’t working/)
})

test('MEMB-10 PROG-01 a damaged profile: login and ticks go straight to the server', {
  tag: '@full',
}, async ({ browserName, playwright, launchOptions, baseURL, extraHTTPHeaders, context }) => {
  const email = await joinMember(context)
  const folder = mkdtempSync(join(tmpdir(), 'alliance-profile-'))
  const databases = join(folder, 'Default', 'IndexedDB')
  const open = () =>
    playwright[browserName].launchPersistentContext(folder, {
      ...phone,
      ...launchOptions,
      extraHTTPHeaders,
      ...(baseURL ? { baseURL } : {}),
    })
  const first = await open()
  await (first.pages()[0] ?? (await first.newPage())).goto('/about')
  await first.close()
  rmSync(databases, { recursive: true, force: true })
  writeFileSync(databases, 'Not a folder.')
  const damaged = await open()
  await walk(damaged.pages()[0] ?? (await damaged.newPage()), email, /storage isn’t working/)
  await damaged.close()
  rmSync(folder, { recursive: true })
})

test('MEMB-10 PROG-01 a tab that won’t let go of an older version', { tag: '@full' }, async ({ page, context }) => {
  const person = newPerson('Nora', 'Shelfless')
  const { id } = await joinOverHttp(context.request, person)
  await context.clearCookies()
  const old = await context.newPage()
  await old.goto('/about')
  await old.evaluate(async (memberId) => {
    for (const name of ['alliance-device', `alliance-member-${memberId}`])
      await new Promise<void>((resolve, reject) => {
        const request = indexedDB.open(name, 1)
        request.onsuccess = () => {
          Object.assign(window, { [name]: request.result })
          resolve()
        }
        request.onerror = () => reject(request.error)
      })
  }, id)
  await walk(page, person.email, /Another tab is in the way/)
  // Once it's gone, the databases open after all, whole.
  await old.close()
  await expect(notice(page, /storage is back/)).toBeVisible()
  await notice(page, /storage is back/)
    .locator('xpath=ancestor::*[contains(@class,"banner")][1]')
    .getByRole('button', { name: 'Reload' })
    .click()
  await expect(page.getByRole('heading', { name: 'Strategy' })).toBeVisible()
  await expect(page.locator('.notices').getByRole('status')).toHaveCount(0)
  await page.context().setOffline(true)
  await tick(page, title)
  await page.context().setOffline(false)
  await expect(syncLine(page)).toContainText('Your ticks are saved')
})

for (const moment of ['before the first opening', 'after it'])
  test(`MEMB-10 PROG-01 room for 20 kB, ${moment}`, { tag: '@full' }, async ({ page, context }) => {
    const email = await joinMember(context)
    await page.goto('/login')
    if (moment === 'before the first opening') {
      await leaveRoomFor20kB(page)
      return walk(page, email, /no room on this phone/)
    }
    await fillLogin(page, email, ownPassword)
    await page.waitForURL('**/members')
    await expect(syncLine(page)).toContainText('Your ticks are saved')
    await leaveRoomFor20kB(page)
    const ids = followTicks(page)
    await tick(page, title)
    await expect(notice(page, /no room on this phone/)).toBeVisible()
    await expect(syncLine(page)).toContainText('Your ticks are saved')
    await expect.poll(async () => (await progressByTitle(context.request))[title]).toBe(true)
    expect(ids.size).toBe(1)
    await openList(page)
    await expect(rowOf(page, title).getByRole('button', { name: 'Mark Incomplete' })).toBeVisible()
  })

test('MEMB-10 PROG-01 a connection that the browser loses is opened again, and a tick meanwhile arrives', {
  tag: '@full',
}, async ({ page, context }) => {
  await page.addInitScript(() => {
    const { open } = IDBFactory.prototype
    Object.assign(window, { databases: [], open })
    IDBFactory.prototype.open = function (...args) {
      const request = open.apply(this, args)
      request.addEventListener('success', () => Reflect.get(window, 'databases').push(request.result))
      return request
    }
  })
  await joinOverHttp(context.request, newPerson('Nora', 'Shelfless'))
  /** As Safari does: the connections are dead, and whether the next opening works is up to it. */
  const lose = (isForGood: boolean) =>
    page.evaluate((isOver) => {
      if (isOver)
        IDBFactory.prototype.open = () => {
          throw new DOMException('Connection to Indexed Database server lost.', 'UnknownError')
        }
      for (const database of Reflect.get(window, 'databases')) database.close()
    }, isForGood)
  const ids = followTicks(page)
  await openList(page)
  await lose(false)
  await tick(page, title)
  await expect(syncLine(page)).toContainText('Your ticks are saved')
  await expect(page.locator('.notices').getByRole('status')).toHaveCount(0)
  await expect.poll(async () => (await progressByTitle(context.request))[title]).toBe(true)
  // Now it doesn't come back: the page starts again in memory, with the tick that was pressed.
  await lose(true)
  await rowOf(page, title).getByRole('button', { name: 'Mark Incomplete' }).click()
  await expect.poll(async () => (await progressByTitle(context.request))[title]).toBe(false)
  await expect(rowOf(page, title).getByRole('button', { name: 'Mark Complete' })).toBeVisible()
  await expect(notice(page, /storage isn’t working/)).toBeVisible()
  expect(ids.size).toBe(2)
})

test('MEMB-10 a logout that can’t delete everything says what’s left, and the next opening deletes it', async ({
  page,
  context,
}) => {
  const person = newPerson('Wilma', 'Shelfless')
  const { id } = await joinOverHttp(context.request, person)
  await openList(page)
  await expect(syncLine(page)).toContainText('Your ticks are saved')
  await page.evaluate(() => {
    IDBFactory.prototype.deleteDatabase = () => {
      throw new DOMException('Internal error deleting IndexedDB', 'UnknownError')
    }
    const hang = () => new Promise(() => {})
    Object.assign(CacheStorage.prototype, { delete: hang, has: hang, keys: hang, match: hang, open: hang })
  })
  await page.getByRole('link', { name: 'Logout' }).click()
  await expect(page).toHaveURL('/')
  const left = notice(page, /Still on this phone/)
  await expect(left).toContainText('your videos list, invoices and kept videos.')
  expect((await context.request.get('/api/auth/user')).status()).toBe(401)
  await page.goto('/about')
  await expect.poll(() => page.evaluate(() => localStorage.getItem('unwiped'))).toBeNull()
  await expect(left).toHaveCount(0)
  await expectNothingStoredOf(page, [id, person.firstName, person.lastName, person.email])
})

test('MEMB-10 where the phone’s stores no longer respond, a logout ends the login all the same', async ({
  page,
  context,
}) => {
  const person = newPerson('Ida', 'Standstill')
  const { id } = await joinOverHttp(context.request, person)
  await page.clock.install()
  await openList(page)
  await expect(syncLine(page)).toContainText('Your ticks are saved')
  await page.evaluate(() => {
    const unanswered = () => new EventTarget()
    for (const { prototype } of [IDBObjectStore, IDBIndex])
      for (const name of Object.getOwnPropertyNames(prototype))
        if (/^(get|put|add|delete|clear|count|open)/.test(name)) Object.assign(prototype, { [name]: unanswered })
  })
  await page.getByRole('link', { name: 'Logout' }).click()
  await expect(page.getByRole('heading', { name: 'Logging out' })).toBeVisible()
  await expect
    .poll(async () => {
      await page.clock.fastForward(20_000)
      return (await context.request.get('/api/auth/user')).status()
    })
    .toBe(401)
  await expect(page).toHaveURL('/')
  // They respond again in the next page.
  await expectNothingStoredOf(page, [id, person.firstName, person.lastName, person.email])
})

test('MEMB-10 in memory and without signal, a logout doesn’t say that ticks are safe', async ({ page, context }) => {
  await page.addInitScript(() => {
    IDBFactory.prototype.open = () => {
      throw new DOMException('Internal error opening backing store', 'UnknownError')
    }
  })
  await joinOverHttp(context.request, newPerson('Nora', 'Shelfless'))
  await openList(page)
  await expect(syncLine(page)).toContainText('Your ticks are saved')
  await context.setOffline(true)
  await tick(page, title)
  await page.getByRole('link', { name: 'Logout' }).click()
  await expect(toastOf(page)).toContainText('We couldn’t save 1 tick. Log in and tick it again.')
})
