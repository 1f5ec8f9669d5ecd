import '#pwa/testing/window.ts'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { beginJoin, countRows, sam } from '#api/testing/joining.ts'
import { phrases } from '#pwa/features/admin/frame/phrase-texts.ts'
import { payingSite } from '#pwa/features/payment/testing/paying.ts'

const site = payingSite()

async function pick(label: string, person: string) {
  fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true })
  const field = await screen.findByLabelText<HTMLInputElement>(/^A member, a place/)
  fireEvent.change(field, { target: { value: label } })
  fireEvent.click(await screen.findByText(label, { selector: '[role=option] span' }))
  fireEvent.change(await screen.findByLabelText(/^Their name/), { target: { value: person } })
  fireEvent.click(await screen.findByText(person, { selector: '[role=option] span' }))
}

const dialogs: Record<string, string> = {
  refund: 'Refund Sam Field?',
  'free-month': 'Give Sam Field a free month?',
  tier: 'Change Sam Field’s tier?',
  cancel: 'Cancel Sam Field’s membership?',
  'free-access': 'Give Sam Field free access?',
  access: 'Revoke Sam Field’s access?',
  remove: 'Remove Sam Field permanently?',
  card: 'Ask Sam Field for a new card?',
  password: 'Send Sam Field a password link?',
  resume: 'There’s no membership to resume',
}

test('each question that Find asks opens its dialog or field at the person, and says so where it can’t be', {
  tags: ['full'],
}, async () => {
  const { world, browser } = site
  browser.signIn(world.addOwner())
  const { response } = await beginJoin(world.call)
  await world.pay(response.clientSecret)
  await world.sandbox.settle()
  const page = await browser.open('/admin/addresses')
  await screen.findByRole('heading', { name: 'Your site' })
  const asking = phrases.filter(({ ask }) => ask !== undefined)
  expect(asking.length).toBe(13)
  for (const { label, open = '' } of asking) {
    await pick(label, 'Sam Field')
    const name = dialogs[open]
    if (name !== undefined) {
      const title = await screen.findByText(name, { selector: 'dialog h2' })
      expect(page.address()).toMatch(new RegExp(`^/admin/members/[\\w-]+\\?open=${open}$`))
      fireEvent.click(within(title.parentElement ?? title).getByLabelText('Close'))
      await waitFor(() => expect(page.address()).toMatch(/members\/[\w-]+$/))
    } else if (open === 'progress') await waitFor(() => expect(page.address()).toMatch(/^\/view-member\//))
    else {
      const field = open === 'note' ? 'Note, for owners only' : 'First name'
      await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText(field)))
    }
  }
})

test('an owner sends somebody who rings a password link, in two presses after their name', async () => {
  const { world, browser } = site
  browser.signIn(world.addOwner())
  world.addMember({ email: sam.email, firstName: 'Sam', lastName: 'Field' })
  await browser.open('/admin/addresses')
  await screen.findByRole('heading', { name: 'Your site' })
  await pick('Send a password link', 'Sam Field')
  const dialog = await screen.findByRole('dialog', { name: 'Send Sam Field a password link?' })
  fireEvent.click(within(dialog).getByRole('button', { name: 'Send email' }))
  await screen.findByText('Email on its way')
  expect(countRows(world, 'mail_outbox', `"to" = '${sam.email}' and cause like 'reset:%'`)).toBe(1)
})
