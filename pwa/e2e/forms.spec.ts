import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { pages } from './content.ts'
import { countEnquiries } from './database.ts'
import { everydaySizes, expect, phone, test, toastOf, underServiceWorker, withServiceWorker } from './fixtures.ts'
import { newPerson } from './people.ts'
import { expectSound } from './sound.ts'

const saved = 'Saved on this phone. We’ll send it when you have signal.'
const newAddress = () => `sam-${randomUUID().slice(0, 8)}@example.com`
const receipt = (page: Page) => page.getByRole('region', { name: 'Receipt' })
const sendButton = (page: Page) => page.getByRole('button', { name: 'Send message' })

async function isReceiptCovered(page: Page): Promise<boolean | null> {
  const [message, sent] = await Promise.all([toastOf(page).boundingBox(), receipt(page).boundingBox()])
  return message && sent && message.y < sent.y + sent.height && sent.y < message.y + message.height
}

async function write(page: Page): Promise<string> {
  const email = newAddress()
  await page.goto('/contact')
  await page.getByLabel('Name').fill('Sam Field')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Message').fill('Can you ring me about quotes?')
  return email
}

/** Without signal, once the code that queues a form is there: it's fetched at the form's first touch. */
async function loseSignal(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle')
  await page.context().setOffline(true)
}

async function hold(page: Page, addresses: string): Promise<() => void> {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(addresses, async (route) => {
    await released
    await route.continue()
  })
  return release
}

test.describe('forms that lose nothing', () => {
  test.use({ ...phone, ...withServiceWorker })

  test('API-15 ERR-24 pressed twice, a message makes one row, and a receipt', { tag: '@full' }, async ({ page }) => {
    const email = await write(page)
    await sendButton(page).dblclick()
    await expect(toastOf(page)).toContainText('Message sent successfully!')
    await expect(receipt(page)).toContainText('Your message')
    await expect(page.getByLabel('Message')).toHaveValue('')
    expect(await countEnquiries(email)).toBe(1)
    await expectSound(page, 'a message sent')
  })

  test('what has come of a form is seen and has the focus, also on a low screen', { tag: '@full' }, async ({
    page,
  }) => {
    await page.setViewportSize({ width: 390, height: 700 })
    await write(page)
    await sendButton(page).click()
    await expect(receipt(page)).toBeInViewport()
    await expect(page.locator('.queued-form__status')).toBeFocused()
    await expect.poll(() => isReceiptCovered(page)).toBe(false)
  })

  test('API-15 two tabs: what is typed in one outlives what is sent from the other', { tag: '@full' }, async ({
    page,
    context,
  }) => {
    await write(page)
    const other = await context.newPage()
    await other.goto('/contact')
    // What the first tab has typed appears once this page is ready, and would otherwise land in the middle of our typing.
    await expect(other.getByLabel('Email')).not.toHaveValue('')
    await other.getByLabel('Email').fill(newAddress())
    await page.getByLabel('Message').fill('Of the first tab')
    await sendButton(other).click()
    await expect(receipt(other)).toBeVisible()
    await expect(receipt(page)).toBeVisible()
    await expect(page.getByLabel('Message')).toHaveValue('Of the first tab')
    await page.reload()
    await expect(page.getByLabel('Message')).toHaveValue('Of the first tab')
  })

  test('API-15 sent without signal it waits, and goes once signal is back', { tag: '@old' }, async ({
    page,
    context,
  }) => {
    const email = await write(page)
    await underServiceWorker(page)
    await loseSignal(page)
    await sendButton(page).click()
    await expect(page.getByText(saved)).toBeVisible()
    await expectSound(page, 'a message that waits')
    expect(await countEnquiries(email)).toBe(0)
    await context.setOffline(false)
    await expect(receipt(page)).toBeVisible()
    await expect(page.getByText(saved)).toHaveCount(0)
    expect(await countEnquiries(email)).toBe(1)
  })

  test('API-15 left waiting, it goes from whichever page is opened next', { tag: '@full' }, async ({
    page,
    context,
  }) => {
    await page.goto('/')
    await underServiceWorker(page)
    const email = await write(page)
    await loseSignal(page)
    await sendButton(page).click()
    await expect(page.getByText(saved)).toBeVisible()
    await page.goto('/')
    await expect(toastOf(page)).toContainText('1 form waiting to send')
    await context.setOffline(false)
    await expect.poll(() => countEnquiries(email)).toBe(1)
    await page.goto('/contact')
    await expect(receipt(page)).toBeVisible()
    expect(await countEnquiries(email)).toBe(1)
  })

  test('API-15 an answer that never comes makes no second row', { tag: '@full' }, async ({ page }) => {
    const email = await write(page)
    let lost = 0
    await page.route('**/api/contact', async (route) => {
      await route.fetch()
      lost += 1
      await route.abort()
      await page.unroute('**/api/contact')
    })
    await sendButton(page).click()
    // Sent again by the page or the service worker, whichever is first.
    await expect(receipt(page)).toBeVisible()
    expect(lost).toBeGreaterThan(0)
    expect(await countEnquiries(email)).toBe(1)
  })

  test('what is typed outlives a reload and a closed tab, until it is cleared', { tag: ['@full', '@old'] }, async ({
    page,
    context,
  }) => {
    const email = await write(page)
    // Until the app has started, nothing is kept.
    await expect(page.locator('form[novalidate]')).toBeAttached()
    await page.reload()
    await expect(page.getByLabel('Email')).toHaveValue(email)
    await page.close()
    const next = await context.newPage()
    await next.goto('/contact')
    await expect(next.getByLabel('Message')).toHaveValue('Can you ring me about quotes?')
    await next.getByRole('button', { name: 'Clear this form' }).click()
    await next.reload()
    await expect(next.getByLabel('Email')).toHaveValue('')
  })

  test('what is typed before the app has started is kept as well', { tag: '@full' }, async ({ page }) => {
    const release = await hold(page, '**/*.js')
    await page.goto('/contact', { waitUntil: 'commit' })
    await page.getByLabel('Message').fill('Written at once')
    release()
    await expect.poll(() => page.evaluate(() => localStorage.getItem('draft:contact'))).toContain('Written at once')
  })

  test('while the answer is awaited nothing can be typed, and the focus stays', { tag: '@full' }, async ({ page }) => {
    await write(page)
    const release = await hold(page, '**/api/contact')
    await page.getByLabel('Email').press('Enter')
    await expect(page.getByRole('button', { name: 'Sending…' })).toBeVisible()
    await expect(page.getByLabel('Message')).not.toBeEditable()
    await expect(page.getByLabel('Email')).toBeFocused()
    release()
    await expect(toastOf(page)).toContainText('Message sent successfully!')
    await expect(page.getByLabel('Message')).toBeEditable()
  })

  test('API-02 ERR-18 a coaching application says what is missing, and is sent', { tag: '@full' }, async ({ page }) => {
    const email = newAddress()
    await page.goto('/coaching-application')
    await page.getByRole('button', { name: 'Submit application' }).click()
    await expect(page.getByText('Name is required')).toBeVisible()
    await expect(page.getByRole('textbox', { name: 'Name', exact: true })).toBeFocused()
    await expectSound(page, 'an application with its errors')
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Sam Field')
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Phone').fill('07700 900123')
    await page.getByLabel('Trade').selectOption('heating')
    await page.getByLabel('Biggest challenge').fill('Evenings go on quotes')
    await page.getByLabel('Goals').fill('Friday afternoons off')
    await page.getByLabel('Time commitment').selectOption('3-5')
    await page.getByLabel('Investment').selectOption('1k-3k')
    await page.getByRole('button', { name: 'Submit application' }).click()
    await expect(page.getByRole('heading', { name: 'Application Submitted!' })).toBeVisible()
    expect(await countEnquiries(email)).toBe(1)
  })

  test('API-03 CALL-05 a booking says what comes next', { tag: ['@full', '@old'] }, async ({ page }) => {
    const email = newAddress()
    await page.goto('/book-coaching-call')
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Sam Field')
    await page.getByLabel('Email').fill(email)
    await page.getByRole('button', { name: 'Book the call' }).click()
    await expect(page.getByRole('heading', { name: pages['book-coaching-call'].next.heading })).toBeVisible()
    await expectSound(page, 'a booking made')
    expect(await countEnquiries(email)).toBe(1)
  })
})

for (const [size, viewport] of everydaySizes) {
  test(`ROUTE-5 ROUTE-6 ROUTE-10 the pages with a form hold for everybody, ${size}`, { tag: '@full' }, async ({
    browser,
  }) => {
    const page = await browser.newPage(viewport)
    for (const path of ['/contact', '/coaching-application', '/book-coaching-call']) {
      expect((await page.goto(path))?.status()).toBe(200)
      await expectSound(page, path)
    }
    await page.close()
  })
}

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('API-15 CONT-01 a form is checked by the browser and sent, once however often; each gets a page', async ({
    page,
  }) => {
    const { email } = newPerson('Ada', 'Still')
    await page.goto('/contact')
    await page.getByLabel('Name').fill('Ada Still')
    await sendButton(page).click()
    await expect(page).toHaveURL('/contact')
    await expect(page.getByText('Saved on this device')).toBeHidden()
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Message').fill('No scripts here')
    for (const _press of ['the first', 'another']) {
      await sendButton(page).click()
      await expect(page.getByRole('heading', { name: 'Message sent' })).toBeVisible()
      await page.goBack()
    }
    expect(await countEnquiries(email)).toBe(1)
  })
})
