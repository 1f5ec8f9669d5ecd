import { type APIRequestContext, test as base, type ConsoleMessage, expect, type Page } from '@playwright/test'
import { sandboxPassword } from '#data/seed/people.ts'

export { expect }

/** The two sizes every journey must hold at: `test.use(phone)` in a file or a `describe`. */
export const phone = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true }
export const desktop = {
  viewport: { width: 1440, height: 900 },
  deviceScaleFactor: 1,
  isMobile: false,
  hasTouch: false,
}
export const sizes = { phone, desktop }

type Options = {
  /** Complaints that a journey brings about on purpose: `test.use({ expectedComplaints: [/…/] })`. */
  expectedComplaints: RegExp[]
}

/** A page that complains (console.error, an uncaught error, a refused policy) fails its test. */
export const test = base.extend<Options & { complaints: string[] }>({
  expectedComplaints: [[], { option: true }],
  complaints: [
    async ({ context, expectedComplaints }, use) => {
      const complaints: string[] = []
      context.on('console', (message) => {
        if (message.type() === 'error' && !isRefusedRequest(message)) complaints.push(message.text())
      })
      context.on('weberror', (weberror) => complaints.push(String(weberror.error().stack ?? weberror.error())))
      await use(complaints)
      const surprising = complaints.filter((text) => !expectedComplaints.some((pattern) => pattern.test(text)))
      expect(surprising, 'the page complained').toEqual([])
    },
    { auto: true },
  ],
})

/**
 * Chromium itself writes a line for each request that had no signal, or that the API answered with 4xx: journeys bring
 * both about. A missing file of the site, or a 5xx, is a complaint.
 */
function isRefusedRequest(message: ConsoleMessage): boolean {
  const text = message.text()
  if (!text.startsWith('Failed to load resource')) return false
  if (/net::ERR_(INTERNET_DISCONNECTED|FAILED|NETWORK_CHANGED|CONNECTION_REFUSED|ABORTED)/.test(text)) return true
  return / status of 4\d\d/.test(text) && new URL(message.location().url).pathname.startsWith('/api/')
}

export type SandboxMail = { to: string; subject: string; text: string; html: string; at: string }

/** The sandbox's mailbox, newest first. */
export async function mail(request: APIRequestContext): Promise<SandboxMail[]> {
  const answer = await request.get('/sandbox/mail', { headers: { accept: 'application/json' } })
  expect(answer.ok()).toBe(true)
  return answer.json()
}

/** Logs in through the form, as a person does, and waits for the members' area. */
export async function signIn(page: Page, email: string, password = sandboxPassword): Promise<void> {
  await page.goto('/login')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.waitForURL('**/members')
}
