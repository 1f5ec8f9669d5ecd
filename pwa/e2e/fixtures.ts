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

/** The two sizes every journey must hold at: `test.use(phone)` in a file or a `describe`. */
export const phone = {
  viewport: { width: 390, height: 844 },
  // Four times the pixels take time to paint, and no everyday journey looks at them.
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

/** The full run: what unit tests prove as well, and what lasts, in the browser too. */
export const isFull = Boolean(process.env.FULL)

/** Most journeys run at phone size alone; the full run takes both. */
export const everydaySizes = Object.entries(isFull ? { phone, desktop } : { phone })

/** Of journeys that only the full run walks, since tests below prove their steps every day. */
export const fullRunSizes = Object.entries(isFull ? { phone, desktop } : {})

/** For journeys in which the service worker caches the site for a day without signal. */
export const withServiceWorker = { serviceWorkers: 'allow' } as const

type Options = {
  /** Complaints that a journey brings about on purpose: `test.use({ expectedComplaints: [/…/] })`. */
  expectedComplaints: RegExp[]
}

/** A page that complains (console.error, an uncaught error, a refused policy) fails its test. */
export const test = base.extend<Options & { complaints: string[] }>({
  /** Each journey comes from an address of its own, so that none uses up another's share of a limit. */
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
 * Chromium itself writes a line for each request that had no signal, or that the API or the payment provider answered
 * with 4xx: journeys bring both about. A missing file of the site, or a 5xx, is a complaint.
 */
function isRefusedRequest(message: ConsoleMessage): boolean {
  const text = message.text()
  // The same for the service worker's own script, which names no address.
  if (text === 'An unknown error occurred when fetching the script.') return true
  if (!text.startsWith('Failed to load resource')) return false
  if (/net::ERR_(INTERNET_DISCONNECTED|FAILED|NETWORK_CHANGED|CONNECTION_REFUSED|ABORTED)/.test(text)) return true
  return (
    / status of 4\d\d/.test(text) && /^\/(api|sandbox\/stripe\/v1)\//.test(new URL(message.location().url).pathname)
  )
}

const Mailbox = v.array(v.object({ to: v.string(), subject: v.string(), text: v.string() }))

/** The newest mail to an address in the sandbox's mailbox whose subject matches, once it is there. */
export async function mailTo(request: APIRequestContext, address: string, subject: RegExp): Promise<string> {
  const find = async () => {
    const response = await request.get('/sandbox/mail', { headers: { accept: 'application/json' } })
    const mails = v.parse(Mailbox, await response.json())
    return mails.find((mail) => mail.to.includes(address) && subject.test(mail.subject))?.text ?? ''
  }
  await expect.poll(find, { message: `a mail to ${address}` }).not.toBe('')
  return find()
}

/** The first address of the site in a mail. */
export const linkIn = (text: string): string => /https?:\/\/\S+/.exec(text)?.[0] ?? ''

/** Fills in the login form as a person does, and presses its button. */
export async function fillLogin(page: Page, email: string, password = sandboxPassword): Promise<void> {
  const form = page.getByRole('form', { name: 'Log in' })
  await form.getByLabel('Email').fill(email)
  await form.getByLabel('Password', { exact: true }).fill(password)
  await form.getByRole('button', { name: 'Log in' }).click()
}

/** Logs in through the form and waits for the members' area. */
export async function signIn(page: Page, email: string, password = sandboxPassword): Promise<void> {
  await page.goto('/login')
  await fillLogin(page, email, password)
  await page.waitForURL('**/members')
}

/** The message that shows, or did a moment ago. */
export const toastOf = (page: Page): Locator =>
  page.getByRole('region', { name: /^Notification/ }).getByRole('listitem')

/** A message shows and is in the way of nothing: it covers no part of what could be pressed, whose middle answers. */
export async function expectMessageAside(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate(coveredByMessage), { message: 'what the message covers' }).toEqual([])
}

/** Runs in the page. */
function coveredByMessage(): string[] {
  const message = document.querySelector('.toasts .toast')
  if (!message) return ['there is no message']
  const box = message.getBoundingClientRect()
  if (box.top < 0 || box.bottom > innerHeight) return ['the message is off the screen']
  const isCovered = (element: Element) => {
    const { left, top, right, bottom, width } = element.getBoundingClientRect()
    const middle = document.elementFromPoint((left + right) / 2, (top + bottom) / 2)
    const isUnder = left < box.right && right > box.left && top < box.bottom && bottom > box.top
    return width > 0 && (isUnder || (middle !== null && message.contains(middle)))
  }
  return [...document.querySelectorAll('a[href], button, input, select, textarea, summary, .field')]
    .filter((one) => !message.contains(one) && one.checkVisibility({ visibilityProperty: true }) && isCovered(one))
    .map((one) => one.textContent?.trim() || one.outerHTML.slice(0, 80))
}

/** Waits until the site's service worker controls the page. */
export async function underServiceWorker(page: Page): Promise<void> {
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
}

/** In how many columns these cards stand beside each other, on a phone and on a desk. Ends at the size it began with. */
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
