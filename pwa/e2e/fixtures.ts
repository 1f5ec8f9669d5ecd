import { randomInt } from 'node:crypto'
import {
  type APIRequestContext,
  test as base,
  type ConsoleMessage,
  expect,
  type Locator,
  type Page,
} from '@playwright/test'
import * as v from 'valibot'
import { sandboxPassword } from '#data/seed/people.ts'

export { expect }

/** The two sizes every journey has to work at: `test.use(phone)` in a file or a `describe`. */
export const phone = {
  viewport: { width: 390, height: 844 },
  // Painting four times the pixels takes time, and no everyday journey looks at them.
  deviceScaleFactor: process.env.FULL ? 2 : 1,
  isMobile: true,
  hasTouch: true,
}
export const desktop = {
  viewport: { width: 1440, height: 900 },
  deviceScaleFactor: 1,
  isMobile: false,
  hasTouch: false,
}

/** Of the run in a browser that lacks what some promised browser lacks (`old.ts`). */
export const isOld = Boolean(process.env.OLD)

export const isFull = Boolean(process.env.FULL)

/** A journey runs at phone size every day. The full run does both sizes, and walks those tagged `@full` too. */
export const everydaySizes = Object.entries(isFull ? { phone, desktop } : { phone })

/** For journeys without signal, which need the service worker's cache. */
export const withServiceWorker = { serviceWorkers: 'allow' } as const

/** What the headless shell lacks: it refuses notices, and has a mouse in the corner of a phone's screen. On top of a file. */
export const inWholeChromium: Parameters<typeof base.use>[0] = {
  launchOptions: async ({ launchOptions }, use) => {
    const executablePath = process.env.E2E_WHOLE_CHROMIUM
    await use({ ...launchOptions, ...(executablePath ? { executablePath } : {}) })
  },
}

type Options = {
  /** Complaints a journey causes on purpose: `test.use({ expectedComplaints: [/…/] })`. */
  expectedComplaints: RegExp[]
}

/** A page that complains (console.error, an uncaught error, a blocked policy) fails its test. */
export const test = base.extend<Options & { complaints: string[] }>({
  /** Each journey has its own IP address, so that none uses up another's rate limit. */
  extraHTTPHeaders: async ({ extraHTTPHeaders }, use) => {
    const address = `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`
    await use({ ...extraHTTPHeaders, 'x-forwarded-for': address })
  },
  expectedComplaints: [[], { option: true }],
  complaints: [
    async ({ context, expectedComplaints }, use) => {
      const complaints: string[] = []
      context.on('console', (message) => {
        if (message.type() === 'error' && !isRefusedRequest(message))
          complaints.push(`${message.text()} (${message.location().url})`)
      })
      context.on('weberror', (weberror) => complaints.push(weberror.error().stack || String(weberror.error())))
      await use(complaints)
      const surprising = complaints.filter((text) => !expectedComplaints.some((pattern) => pattern.test(text)))
      expect(surprising, 'the page complained').toEqual([])
    },
    { auto: true },
  ],
})

/**
 * Chromium logs a line for each request that had no signal, or got a 4xx from the API or Stripe. Journeys cause both. A missing
 * file of the site, or a 5xx, is a complaint.
 */
function isRefusedRequest(message: ConsoleMessage): boolean {
  const text = message.text()
  // The same for the service worker's own script, without an address.
  if (text === 'An unknown error occurred when fetching the script.') return true
  if (!text.startsWith('Failed to load resource')) return false
  if (/net::ERR_(INTERNET_DISCONNECTED|FAILED|NETWORK_CHANGED|CONNECTION_REFUSED|ABORTED)/.test(text)) return true
  return (
    / status of 4\d\d/.test(text) && /^\/(api|sandbox\/stripe\/v1)\//.test(new URL(message.location().url).pathname)
  )
}

/** A public page starts the app with its visitor's first sign. Until then links are followed by the browser. */
export async function startApp(page: Page): Promise<void> {
  await page.mouse.move(1, 1)
  await page.waitForFunction(() => globalThis.stopCapturingClicks === undefined)
}

const Mailbox = v.array(v.object({ to: v.string(), subject: v.string(), text: v.string() }))

export async function mailTo(request: APIRequestContext, address: string, subject: RegExp): Promise<string> {
  const find = async () => {
    const response = await request.get('/sandbox/mail', { headers: { accept: 'application/json' } })
    const mails = v.parse(Mailbox, await response.json())
    return mails.find((mail) => mail.to.includes(address) && subject.test(mail.subject))?.text ?? ''
  }
  await expect.poll(find, { message: `a mail to ${address}` }).not.toBe('')
  return find()
}

export const linkIn = (text: string): string => /https?:\/\/\S+/.exec(text)?.[0] ?? ''

export async function fillLogin(page: Page, email: string, password = sandboxPassword): Promise<void> {
  const form = page.getByRole('form', { name: 'Log in' })
  await form.getByLabel('Email').fill(email)
  await form.getByLabel('Password', { exact: true }).fill(password)
  await form.getByRole('button', { name: 'Log in' }).click()
}

export async function signIn(page: Page, email: string, password = sandboxPassword): Promise<void> {
  await page.goto('/login')
  await fillLogin(page, email, password)
  await page.waitForURL('**/members')
}

/** The message that's showing, or was a moment ago. */
export const toastOf = (page: Page): Locator =>
  page.getByRole('region', { name: /^Notification/ }).getByRole('listitem')

/** A message shows in its one place, and nothing that went wrong, nor what was pressed, is under it. Returns its top edge. */
export async function expectMessageInPlace(page: Page, pressed?: Locator): Promise<number> {
  await expect(toastOf(page)).toBeVisible()
  const under = pressed ? await pressed.elementHandle() : null
  await expect.poll(() => page.evaluate(misplaced, under), { message: 'what’s wrong with its place' }).toEqual([])
  return toastOf(page).evaluate((one) => one.getBoundingClientRect().top)
}

function misplaced(pressed: Element | null): string[] {
  const message = document.querySelector('.toasts .toast')
  if (!message) return ['there is no message']
  const box = message.getBoundingClientRect()
  const docks = [...document.querySelectorAll('.dock')].map((dock) => dock.getBoundingClientRect())
  const floor = docks.find(({ height }) => height > 0)?.top ?? innerHeight
  const gap = innerWidth < 1024 ? 0 : 16
  const isUnder = (element: Element) => {
    const { left, top, right, bottom } = element.getBoundingClientRect()
    return left < box.right && right > box.left && top < box.bottom - 1 && bottom > box.top + 1
  }
  const others = document.querySelectorAll('[role=alert], .banner--bad, [aria-invalid=true], .notices > *, .bulk')
  return [
    ...(Math.abs(floor - gap - box.bottom) > 3 ? [`its lower edge is at ${box.bottom}, not at ${floor - gap}`] : []),
    ...[...others, ...(pressed ? [pressed] : [])].filter(isUnder).map((one) => one.outerHTML.slice(0, 80)),
  ]
}

export async function underServiceWorker(page: Page): Promise<void> {
  // It caches the whole app first, which takes minutes on a busy machine.
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null, undefined, { timeout: 240_000 })
}

/** How many columns these cards have on a phone and on a desktop. Restores the original size. */
export async function expectColumns(cards: Locator, { onPhone, onDesktop }: { onPhone: number; onDesktop: number }) {
  const page = cards.page()
  const usual = page.viewportSize() ?? phone.viewport
  for (const [{ viewport }, columns] of [
    [phone, onPhone],
    [desktop, onDesktop],
  ] as const) {
    await page.setViewportSize(viewport)
    const lefts = async () =>
      new Set(await cards.evaluateAll((all) => all.map((card) => card.getBoundingClientRect().x)))
    await expect.poll(async () => (await lefts()).size).toBe(columns)
  }
  await page.setViewportSize(usual)
}
