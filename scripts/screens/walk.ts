import { randomInt } from 'node:crypto'
import type { Browser, BrowserContext, Page } from '@playwright/test'
import { adminPaths } from '#pwa/e2e/admin-steps.ts'
import { chooseTier, fillApplication, fillCard, fillPayer } from '#pwa/e2e/join-steps.ts'
import { memberPaths } from '#pwa/e2e/members-steps.ts'
import { joinOverHttp, logInOverHttp, newPerson } from '#pwa/e2e/people.ts'
import { publicPaths, waysIn } from '#pwa/e2e/public-pages.ts'
import { createReactivationLink } from '#pwa/e2e/reactivate-steps.ts'
import { type Camera, settle } from './camera.ts'
import { shootDialogs } from './dialogs.ts'
import { fillFields } from './fill.ts'

/** `only`: what the addresses to draw begin with; all if empty. */
export type Walk = { site: string; browser: Browser; camera: Camera; width: number; only: readonly string[] }

/** Accounts whose screens differ from a paying member's. */
const otherMembers = ['lite', 'delayed', 'pastdue', 'lapsed', 'visitor'].map((name) => `${name}@alliance.test`)

const calendarViews = ['monthly', 'hours', 'days', 'kinds', 'mail'].map((view) => `/admin/calendar?view=${view}`)
const editors = ['blog?post=new', 'videos?lesson=new', 'words?page=home', 'words?page=site'].map((at) => `/admin/${at}`)

export async function walkAsVisitor(walk: Walk): Promise<void> {
  await inContext(walk, async (page) => {
    const seen = new Set<string>()
    for (const path of [...publicPaths, ...waysIn]) await visit(page, walk, path, { seen })
    await page.goto('/')
    if (walk.width < 500) {
      await page.getByRole('button', { name: 'Menu' }).first().click()
      await walk.camera.shoot(page, '/ · Menu', false)
    }
  })
  await inContext(walk, async (page) => {
    await page.goto('/membership-application')
    await fillApplication(page, newPerson('Ida', 'Joist'))
    await settle(page)
    await walk.camera.shoot(page, '/membership-application · step 2')
    await chooseTier(page, 'JOIN ALLIANCE')
    await fillCard(page, '4242 4242 4242 4242')
    await fillPayer(page)
    await settle(page)
    await walk.camera.shoot(page, '/membership-application · step 3, filled')
  })
  let link = ''
  await inContext(walk, async (_, { request }) => {
    link = await createReactivationLink(request, newPerson('Ewan', 'Rafter'))
  })
  await inContext(walk, (page) => visit(page, walk, link))
}

export async function walkAsMember(walk: Walk): Promise<void> {
  await inContext(walk, async (page, { request }) => {
    await logInOverHttp(request, 'xl@alliance.test')
    for (const path of memberPaths) await visit(page, walk, path)
  })
  await inContext(walk, async (page, { request }) => {
    await joinOverHttp(request, newPerson('Nell', 'Batten'))
    for (const path of ['/members', '/members?tab=billing']) await visit(page, walk, path, { as: 'new' })
  })
  for (const email of otherMembers)
    await inContext(walk, async (page, { request }) => {
      await logInOverHttp(request, email)
      for (const path of ['/members', '/members?tab=billing'])
        await visit(page, walk, path, { as: email.split('@', 1)[0] })
    })
}

/** So that the owners' inbox has something in it. */
const sendForms = (walk: Walk) =>
  inContext(walk, async (page) => {
    for (const path of ['/contact', '/coaching-application', '/book-coaching-call']) {
      await page.goto(path)
      const form = page.locator('main form')
      await settle(page)
      await fillFields(form)
      await form.locator('[type=submit]').click()
      // Where it says what has come of it. Some forms stay, empty again.
      await page.locator('.queued-form__status:focus').waitFor()
      await walk.camera.shoot(page, `${path} · sent`)
    }
  })

export async function walkAsOwner(walk: Walk): Promise<void> {
  await sendForms(walk)
  await inContext(walk, async (page, { request }) => {
    await logInOverHttp(request, 'owner@alliance.test')
    for (const path of [...adminPaths, ...calendarViews, ...editors]) await visit(page, walk, path)
    await page.goto('/admin/members?q=shah')
    const record = page.getByRole('link', { name: 'Priya Shah', exact: true })
    const path = (await record.getAttribute('href')) ?? ''
    await visit(page, walk, path)
    await visit(page, walk, `/view-member/${path.split('/').at(-1)}`)
    await visit(page, walk, '/dashboard')
    await page.goto('/admin')
    await settle(page)
    await page.keyboard.press('Control+k')
    await page.locator('dialog[open]').waitFor()
    await walk.camera.shoot(page, '/admin · Find', false)
    await page.keyboard.press('Escape')
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Help' }).waitFor()
    await walk.camera.shoot(page, '/admin · the keys', false)
    if (walk.width < 500) {
      await page.goto('/admin')
      await settle(page)
      await page.getByRole('button', { name: 'More', exact: true }).click()
      await walk.camera.shoot(page, '/admin · More', false)
    }
  })
}

type Visit = { seen?: Set<string>; as?: string | undefined }

/** The page as it opens, its form filled, and its dialogs. */
async function visit(page: Page, { camera, only }: Walk, path: string, { seen, as }: Visit = {}): Promise<void> {
  if (only.length > 0 && !only.some((start) => path.startsWith(start))) return
  const name = as === undefined ? path : `${path}, ${as}`
  try {
    await page.goto(path)
    await settle(page)
    await camera.shoot(page, name)
    const form = page.locator('main form:not([role=search])')
    let isFilled = false
    for (const one of await form.all()) isFilled = (await fillFields(one)) || isFilled
    if (isFilled) await camera.shoot(page, `${name} · filled`)
    if (isFilled) {
      await page.evaluate(() => localStorage.clear())
      await page.goto(path)
      await settle(page)
    }
    await shootDialogs(page, camera, page.locator('main'), seen)
  } catch (error) {
    console.warn(`${name}: ${String(error).split('\n', 1)}`)
  }
}

async function inContext(
  { site, browser, width }: Walk,
  walk: (page: Page, context: BrowserContext) => Promise<void>,
): Promise<void> {
  const isPhone = width < 500
  const context = await browser.newContext({
    baseURL: site,
    viewport: { width, height: isPhone ? 844 : 900 },
    isMobile: isPhone,
    hasTouch: isPhone,
    locale: 'en-GB',
    timezoneId: 'Europe/London',
    serviceWorkers: 'block',
    reducedMotion: 'reduce',
    // So that none uses up another's rate limit.
    extraHTTPHeaders: { 'x-forwarded-for': `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}` },
  })
  context.setDefaultTimeout(20_000)
  const outside = '<!doctype html><body style="background:#bcd;font:20px sans-serif"><p>A page of another site</p>'
  await context.route(
    ({ hostname }) => hostname !== 'localhost' && hostname !== '127.0.0.1',
    (route) => route.fulfill({ contentType: 'text/html', body: outside }),
  )
  try {
    await walk(await context.newPage(), context)
  } catch (error) {
    console.warn(error)
  } finally {
    await context.close()
  }
}
