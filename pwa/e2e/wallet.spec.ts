import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { expect, phone, signIn, test, underServiceWorker, withServiceWorker } from './fixtures.ts'
import { findStoredWords } from './stored-data.ts'

test.use({ ...phone, ...withServiceWorker })

test('MEMB-10 the wallet opens without signal with a PDF of each invoice and numbers to ring, the contact form opens, and a logout leaves nothing of it', {
  tag: '@full',
}, async ({ page, context }) => {
  const list = page.waitForResponse('**/api/billing/invoices')
  // The line is cut after the list.
  const cut = page.waitForRequest(/\/pdf$/)
  await page.route(/\/pdf$/, (route) => route.abort())
  await signIn(page, 'xl@alliance.test')
  await list
  await cut
  await page.unroute(/\/pdf$/)
  await underServiceWorker(page)
  const copies = () =>
    page.evaluate(async () => {
      const cached = await Promise.all((await caches.keys()).map(async (name) => (await caches.open(name)).keys()))
      return cached.flat().filter(({ url }) => url.endsWith('/pdf')).length
    })
  await expect.poll(copies).toBeGreaterThan(0)
  const hasContact = () => page.evaluate(async () => (await caches.match('/contact')) !== undefined)
  await expect.poll(hasContact).toBe(true)
  await context.setOffline(true)
  await page.goto('/contact')
  await expect(page.getByRole('button', { name: 'Send message' })).toBeVisible()
  await page.goto('/members?tab=billing')
  await page.getByRole('link', { name: 'Coaches and invoices' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Coaches and invoices' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Your coaches' }).getByRole('link', { name: /@/ })).toHaveCount(2)
  // What has no internet may ring.
  await expect(page.getByRole('link', { name: '00000 000001' })).toHaveAttribute('href', 'tel:+440000000001')
  const pdf = page.getByRole('link', { name: /^PDF of Invoice/ }).first()
  await expect(pdf).toHaveAttribute('href', /^blob:/)
  const download = page.waitForEvent('download')
  await pdf.click()
  expect(
    readFileSync(await (await download).path())
      .subarray(0, 5)
      .toString(),
  ).toBe('%PDF-')
  // One beyond the newest two years isn't on the phone.
  await page.evaluate(async () => {
    for (const name of await caches.keys())
      for (const { url } of await (await caches.open(name)).keys())
        if (url.endsWith('/pdf')) await (await caches.open(name)).delete(url)
  })
  await page.reload()
  await expect(page.getByText('PDF needs signal').first()).toBeVisible()
  await expect(pdf).toHaveCount(0)
  await context.setOffline(false)
  await page.reload()
  await expect.poll(copies).toBeGreaterThan(0)
  await page.getByRole('link', { name: 'Logout' }).click()
  await expect(page.getByRole('link', { name: 'Logout' })).toHaveCount(0)
  await expect.poll(copies).toBe(0)
  expect(await findStoredWords(page, ['xl@alliance.test'])).toEqual([])
})

/** As a phone's browser that shares files; the stub lives in this page alone. `answers`: what the phone's own sheet says, in turn. */
const stubSharing = (page: Page, answers: readonly ('shared' | 'AbortError' | 'NotAllowedError')[]) =>
  page.addInitScript((inTurn) => {
    const left = [...inTurn]
    Object.assign(globalThis, { sharedFiles: [] })
    Object.assign(navigator, {
      canShare: ({ files = [] }: ShareData) => files.every(({ type }) => type === 'application/pdf'),
      share: async ({ files = [] }: ShareData) => {
        const answer = left.shift()
        if (answer !== 'shared') throw new DOMException('', answer)
        for (const file of files)
          Reflect.get(globalThis, 'sharedFiles').push([file.name, (await file.text()).slice(0, 5)])
      },
    })
  }, answers)

test('API-07 an invoice is shared from the phone as a file; a closed sheet says nothing, a failed one downloads it', async ({
  page,
  context,
}) => {
  await signIn(page, 'xl@alliance.test')
  await page.goto('/members?tab=billing')
  await expect(page.getByRole('link', { name: /PDF/ }).first()).toBeVisible()
  await expect(page.getByRole('button', { name: /^Share/ })).toHaveCount(0)
  await stubSharing(page, ['shared', 'AbortError', 'NotAllowedError'])
  await page.reload()
  const share = page.getByRole('button', { name: /^Share/ }).first()
  const shared = () => page.evaluate(() => Reflect.get(globalThis, 'sharedFiles'))
  await share.click()
  await expect.poll(shared).toEqual([[expect.stringMatching(/^Invoice .+\.pdf$/), '%PDF-']])
  let downloads = 0
  page.on('download', () => {
    downloads += 1
  })
  await share.click()
  await expect(share).not.toHaveAttribute('aria-busy', 'true')
  await expect(page.getByRole('alert')).toHaveCount(0)
  await expect(page.locator('.toast')).toHaveCount(0)
  expect([downloads, context.pages().length, new URL(page.url()).search]).toEqual([0, 1, '?tab=billing'])
  const download = page.waitForEvent('download')
  await share.click()
  expect((await download).suggestedFilename()).toMatch(/\.pdf$/)
})
