import '#pwa/testing/window.ts'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { jobLeases } from '#api/db/schema/system.ts'
import { queueMail } from '#api/mail/outbox.ts'
import { startWorld, type World } from '#api/testing/world.ts'
import { type Browser, createBrowser } from '#pwa/testing/browser.tsx'

let world: World
let browser: Browser
beforeEach(() => {
  world = startWorld()
  browser = createBrowser(world)
  browser.signIn(world.addOwner())
})
afterEach(() => browser.close())

const row = (name: RegExp) => screen.findByRole('row', { name })

test('a refused mail is found among the others, says why, and is sent again', async () => {
  const mail = { userId: null, text: 'Tea', html: '<p>Tea</p>', isRepeatable: true }
  queueMail(world.ctx, { ...mail, to: 'gone@example.com', subject: 'Receipt', cause: 'receipt:1' })
  queueMail(world.ctx, { ...mail, to: 'sam@example.com', subject: 'Welcome', cause: 'welcome:1' })
  world.ctx.sqlite
    .prepare(`update mail_outbox set status = 'refused', "lastError" = '550 no such person' where "to" like 'gone%'`)
    .run()
  const sam = world.addUser({ email: 'sam@example.com' })
  const page = await browser.open('/admin/mail')
  expect((await row(/sam@example.com/)).querySelector('a')?.getAttribute('href')).toBe(`/admin/members/${sam.id}`)
  expect((await row(/gone@example.com/)).querySelector('a')).toBeNull()
  fireEvent.change(screen.getByLabelText('Show'), { target: { value: 'refused' } })
  await waitFor(() => expect(screen.queryByRole('row', { name: /sam@example.com/ })).toBeNull())
  expect(page.address()).toBe('/admin/mail?show=refused')
  expect((await row(/gone@example.com/)).textContent).toContain('550 no such person')
  fireEvent.click(screen.getByRole('button', { name: 'Send “Receipt” to gone@example.com again' }))
  await screen.findByText('Sent again')
  expect(world.ctx.sqlite.prepare('select count(*) from mail_outbox where status = ?').pluck().get('waiting')).toBe(2)
})

test('a job that failed is marked and can be run again', async () => {
  world.ctx.db
    .insert(jobLeases)
    .values({
      name: 'clean-up',
      holder: '',
      expiresAt: world.ctx.now().toISOString(),
      lastRunAt: null,
      lastReport: { failed: 'No disk' },
    })
    .run()
  await browser.open('/admin/jobs')
  const job = await row(/Deletes what is no longer needed/)
  expect(within(job).getByText('Failed')).toBeTruthy()
  expect(job.textContent).toContain('failed: No disk')
  fireEvent.click(within(job).getByRole('button', { name: /^Run now/ }))
  await waitFor(async () => expect(within(await row(/Deletes what is no longer/)).getByText('Done')).toBeTruthy())
})
