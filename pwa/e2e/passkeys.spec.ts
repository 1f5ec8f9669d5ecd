import type { Page } from '@playwright/test'
import { desktop, expect, fillLogin, phone, test } from './fixtures.ts'
import { startOwnServer } from './own-server.ts'
import { expectSound } from './sound.ts'

/** A phone that unlocks its passkeys by fingerprint, and always recognises it. */
async function addFinger(page: Page): Promise<void> {
  const client = await page.context().newCDPSession(page)
  await client.send('WebAuthn.enable')
  await client.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}

async function addPasskey(page: Page, name: string): Promise<void> {
  const form = page.getByRole('form', { name: 'Add a passkey' })
  await form.getByLabel('Name this device').fill(name)
  await form.getByRole('button', { name: 'Add a passkey' }).click()
  await expect(page.locator('.account__rows').getByRole('listitem').filter({ hasText: name })).toContainText(
    'Not used yet.',
  )
}

async function logInByPasskey(page: Page): Promise<void> {
  await page.context().clearCookies()
  await page.goto('/login?redirect=/members/sign-in')
  // If the browser offers the passkey in the email field, there's nothing to press.
  await page.waitForURL('**/members/sign-in')
}

test('V6.3.3 V6.7.2 a member adds a passkey and signs in with it; an owner who must have a second factor sets one up', {
  tag: '@full',
}, async ({ browser }) => {
  const server = await startOwnServer({ OWNERS_SECOND_FACTOR: 'yes' })
  try {
    const member = await browser.newPage({ ...phone, baseURL: server.url })
    await addFinger(member)
    await member.goto('/login?redirect=/members/sign-in')
    await member.getByRole('button', { name: 'Email me a code' }).click()
    await expectSound(member, 'the login')
    await fillLogin(member, 'standard@alliance.test')
    await member.waitForURL('**/members/sign-in')
    await addPasskey(member, 'My phone')
    await logInByPasskey(member)
    await expect(member.locator('.account__rows li')).toContainText('Last used')
    await expectSound(member, 'a member’s passkeys')
    await member.getByRole('button', { name: 'Remove My phone' }).click()
    await member.getByRole('button', { name: 'Remove My phone for good' }).click()
    await expect(member.getByText('No passkeys yet.')).toBeVisible()
    await member.close()

    const owner = await browser.newPage({ ...desktop, baseURL: server.url })
    await addFinger(owner)
    await owner.goto('/login?redirect=/admin')
    await fillLogin(owner, 'owner@alliance.test')
    await owner.waitForURL('**/members/sign-in')
    await expect(owner.getByText('Set up two-step login to carry on')).toBeVisible()
    await owner.getByRole('button', { name: 'Set up an authenticator app' }).click()
    await expect(owner.getByRole('img', { name: 'QR code for the app' })).toBeVisible()
    await expectSound(owner, 'setting up an app')
    await addPasskey(owner, 'My laptop')
    await expect(owner.getByText('Write these down now')).toBeVisible()
    await expectSound(owner, 'recovery codes')
    await owner.getByRole('button', { name: 'I’ve written them down' }).click()
    await owner.getByRole('link', { name: 'Go to admin' }).click()
    const menu = owner.getByRole('navigation', { name: 'Admin' }).first()
    await expect(menu).toBeVisible()
    await logInByPasskey(owner)
    await expect(owner.locator('.account__rows li').filter({ hasText: 'My laptop' })).toContainText('Last used')
    await owner.goto('/admin')
    await expect(menu).toBeVisible()
  } finally {
    await server.stop()
  }
})
