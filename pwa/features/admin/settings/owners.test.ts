import '#pwa/testing/window.ts'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ensureOwners } from '#api/features/accounts/owners/service.ts'
import { waitingMail } from '#api/testing/enquiries.ts'
import { password, quickHash } from '#api/testing/passwords.ts'
import { startWorld, type World } from '#api/testing/world.ts'
import { type Browser, createBrowser } from '#pwa/testing/browser.tsx'

let world: World
let browser: Browser
const idOf = (email: string) =>
  world.ctx.sqlite.prepare<[string], { id: string }>('select id from users where email = ?').get(email)?.id ?? ''
beforeEach(() => {
  world = startWorld({ env: { SESSION_SECRET: 'x'.repeat(32), OWNER_EMAILS: 'olive@example.com' } })
  browser = createBrowser(world)
  // An account made before it was an owner's would lose its password here.
  ensureOwners(world.ctx)
  world.ctx.sqlite.prepare('update users set passwordHash = ?, passwordChanged = 1').run(quickHash)
  browser.signIn({ id: idOf('olive@example.com'), email: 'olive@example.com' })
})
afterEach(() => browser.close())

const press = async (name: string) => fireEvent.click(await screen.findByRole('button', { name }))

test('an owner is invited once the password is given again, and removed, which logs them out', {
  tags: ['full'],
}, async () => {
  const email = 'owen@example.com'
  await browser.open('/admin/owners')
  await screen.findByRole('row', { name: /olive@example\.com/ })
  world.forward(11 * 60_000)
  await press('Invite an owner')
  fireEvent.input(await screen.findByLabelText(/^Email/), { target: { value: email } })
  await press('Send the invitation')
  const asked = within(await screen.findByRole('form', { name: 'Your password' }))
  fireEvent.change(asked.getByLabelText(/Your password/), { target: { value: password } })
  fireEvent.click(asked.getByRole('button', { name: 'Carry on' }))
  await screen.findByText('Invitation sent')
  await screen.findByRole('button', { name: `Cancel invitation: ${email}` })
  const mail = waitingMail(world).find(({ to }) => to === email)
  const token = /token=([\w-]+)/.exec(mail?.text ?? '')?.[1]
  const login = await world.call('/api/owner-invitation/accept', {
    body: { token, newPassword: 'a-van-that-starts-42' },
  })
  expect(login.status).toBe(200)
  const other = world.signIn({ id: idOf(email), email })
  expect((await other('/api/admin/mrr')).status).toBe(200)
  await browser.open('/admin/owners')
  await press(`Remove: ${email}`)
  const dialog = within(await screen.findByRole('dialog', { name: `Remove ${email} as an owner?` }))
  dialog.getByText(/logged out straight away/)
  fireEvent.click(dialog.getByRole('button', { name: 'Remove' }))
  await screen.findByText('Owner removed')
  await waitFor(() => expect(screen.queryByRole('row', { name: /owen@example\.com/ })).toBeNull())
  expect((await other('/api/admin/mrr')).status).toBe(401)
})
