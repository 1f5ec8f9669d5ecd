import '#pwa/testing/window.ts'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { insertRow } from '#api/db/insert.ts'
import { quotientOrders } from '#api/db/schema/orders.ts'
import { queueMail } from '#api/mail/outbox.ts'
import { contactMessage } from '#api/testing/enquiries.ts'
import type { TestPerson } from '#api/testing/people.ts'
import { startWorld, type World } from '#api/testing/world.ts'
import { type Browser, createBrowser } from '#pwa/testing/browser.tsx'

let world: World
let browser: Browser
let owner: TestPerson
let member: TestPerson
beforeEach(() => {
  world = startWorld()
  owner = world.addOwner()
  member = world.addMember({ firstName: 'Danny', lastName: 'Brook', email: 'danny@example.com' })
  browser = createBrowser(world)
  browser.signIn(owner)
})
afterEach(() => browser.close())

type Action = {
  /** Default: the member’s page. */
  path?: string
  before?: () => unknown
  /** Buttons to press first, by accessible name. */
  open?: readonly string[]
  /** Field label → text to type. */
  typed?: Record<string, string>
  press: string
  says: string
}

const addContact = () => world.call('/api/contact', { body: contactMessage })

function addOrder(): void {
  insertRow(world.ctx, quotientOrders, {
    id: world.ctx.newId(),
    firstName: 'Kim',
    lastName: 'Reed',
    email: 'kim@example.com',
    businessName: 'Reed',
    status: 'paid',
    agreeToTerms: true,
    net: 45_000,
    vat: 9_000,
    total: 54_000,
    createdAt: world.ctx.now().toISOString(),
  })
}

function addRefusedMail(): void {
  const mail = { userId: member.id, text: 'Tea', html: '<p>Tea</p>', isRepeatable: true }
  queueMail(world.ctx, { ...mail, to: member.email, subject: 'Receipt', cause: 'receipt:1' })
  world.ctx.sqlite.exec(`update mail_outbox set status = 'refused'`)
}

const endsMembership = () => world.ctx.sqlite.exec(`update subscriptions set cancelAtPeriodEnd = 1`)
const wasMember = () => world.ctx.sqlite.exec(`update users set membershipStartDate = createdAt`)
const givesFreeAccess = () =>
  world.ctx.sqlite.exec(`update users set accessOverride = 'granted' where id = '${member.id}'`)

async function addPost() {
  const body = { title: 'Which van?', slug: 'which-van', content: '<p>A long one.</p>' }
  await world.signIn(owner)('/api/admin/blog', { body })
}
const addToken = () => world.signIn(owner)('/api/admin/tokens', { body: { name: 'Books', scopes: ['read'], days: 7 } })

const onMemberPage: readonly Action[] = [
  {
    open: ['Edit profile'],
    typed: { Trade: 'Roofer' },
    press: 'Save profile',
    says: 'We couldn’t save the profile',
  },
  {
    open: ['Free access'],
    typed: { 'Last day': '2030-09-30' },
    press: 'Give free access',
    says: 'We couldn’t save free access',
  },
  {
    open: ['Change invoice address'],
    press: 'Save address',
    says: 'We couldn’t save the address',
    typed: { Address: '1 Mill Lane', Town: 'Leeds', Postcode: 'LS1 1AA' },
  },
  { open: ['Free month'], press: 'Give a free month', says: 'We couldn’t save the free month' },
  { open: ['Change tier'], press: 'Book tier change', says: 'We couldn’t change the tier' },
  { open: ['Cancel membership'], press: 'Cancel membership', says: 'We couldn’t cancel the membership' },
  { before: endsMembership, open: ['Resume'], press: 'Resume membership', says: 'We couldn’t resume the membership' },
  {
    before: givesFreeAccess,
    open: ['End free access'],
    press: 'End free access',
    says: 'We couldn’t end free access',
  },
  { open: ['Ask for a new card'], press: 'Send email', says: 'We couldn’t send the email' },
  {
    before: wasMember,
    open: ['Create reactivation link'],
    press: 'Create link',
    says: 'We couldn’t create the link',
  },
  { typed: { 'Note, for owners only': 'Rang twice.' }, press: 'Save the note', says: 'We couldn’t save the note' },
  { typed: { 'Email to danny@example.com': 'Ring me.' }, press: 'Send the email', says: 'We couldn’t send the email' },
  { before: addRefusedMail, press: 'Send “Receipt” again', says: 'We couldn’t resend the email' },
  {
    before: () => world.signIn(member),
    open: ['Log out everywhere'],
    press: 'Log out everywhere',
    says: 'We couldn’t log them out',
  },
]

const elsewhere: readonly Action[] = [
  {
    path: '/admin/rates',
    open: ['Set rate'],
    typed: { 'Rate (%) *': '12' },
    press: 'Set rate',
    says: 'We couldn’t set the rate.',
  },
  {
    path: '/admin/tiers',
    open: ['Edit Alliance'],
    typed: { 'Description *': 'For one van' },
    press: 'Save tier',
    says: 'We couldn’t save the tier.',
  },
  {
    path: '/admin/tiers',
    open: ['Change price of Alliance'],
    typed: { 'Pounds a month, excluding VAT *': '275' },
    press: 'See what it changes',
    says: 'We couldn’t work out what it changes.',
  },
  {
    path: '/admin/addresses',
    typed: { 'Ad tracking script': 'https://pixel.example' },
    press: 'Save',
    says: 'We couldn’t save the settings.',
  },
  {
    path: '/admin/tokens',
    open: ['New token'],
    typed: { 'What it’s for *': 'Books' },
    press: 'Make the token',
    says: 'We couldn’t make the token.',
  },
  {
    path: '/admin/owners',
    open: ['Log out everywhere else'],
    press: 'Log out everywhere else',
    says: 'We couldn’t log out the others.',
  },
  {
    path: '/admin/contacts',
    before: addContact,
    open: ['Open Sam Field’s message'],
    press: 'Send the invitation',
    says: 'We couldn’t send the invitation',
  },
  {
    path: '/admin/orders',
    before: addOrder,
    open: ['Open Kim Reed’s order', 'Change the setup'],
    typed: { 'Set up on': '2026-06-12' },
    press: 'Save the setup',
    says: 'We couldn’t save the setup.',
  },
  {
    path: '/admin/mail',
    before: addRefusedMail,
    press: 'Send “Receipt” to danny@example.com again',
    says: 'We couldn’t resend the email.',
  },
  {
    path: '/admin/mail',
    open: ['Block an address'],
    press: 'Block address',
    typed: { 'Email address': 'gone@example.com' },
    says: 'We couldn’t block the address.',
  },
  { path: '/admin/jobs', press: 'Run now: Deletes what’s no longer needed', says: 'The job failed.' },
  {
    path: '/admin/payments',
    open: ['Add up-sell'],
    press: 'Add up-sell',
    typed: { 'Description *': 'Van', 'Total amount (£) *': '100', 'Commission amount (£) *': '10' },
    says: 'Failed to create manual commission',
  },
  {
    path: '/admin/videos?lesson=new',
    open: [],
    press: 'Add video',
    says: 'Failed to add video',
    typed: { 'Title *': 'Pricing', 'Category *': 'Money', 'Video ID/URL': 'abc1234567' },
  },
  {
    path: '/admin/blog',
    before: addPost,
    open: ['More for Which van?', 'Delete: Which van?'],
    press: 'Delete blog post',
    says: 'Failed to delete blog post',
  },
  {
    path: '/admin/tokens',
    before: addToken,
    open: ['Revoke: Books'],
    press: 'Revoke',
    says: 'That didn’t work. Try again in a minute.',
  },
  {
    path: '/admin/contacts',
    before: addContact,
    open: ['Open Sam Field’s message'],
    typed: { 'Note, for owners only': 'Rang twice.' },
    press: 'Save the note',
    says: 'We couldn’t save the note',
  },
  {
    path: '/admin?q=danny',
    open: ['View as Member'],
    typed: { 'Reason (optional)': 'They rang' },
    press: 'View as Danny Brook',
    says: 'Failed to switch to member view',
  },
]

/** The topmost open dialog, or else the page. */
const screenNow = () => [...document.querySelectorAll('dialog[open]')].at(-1) ?? document.body

const buttonOf = (name: string) =>
  waitFor(() => {
    const buttons = [...screenNow().querySelectorAll<HTMLElement>('button, summary')]
    const button = buttons.findLast((one) => (one.getAttribute('aria-label') ?? one.textContent)?.trim() === name)
    if (button === undefined) throw new Error(`There is no button “${name}”.`)
    return button
  })

const fieldOf = (label: string) =>
  screen.getAllByLabelText<HTMLInputElement>(label, { selector: 'input, textarea, select' }).at(-1)

/** In the dialog if one is open, otherwise in a toast. */
const said = (text: string) =>
  waitFor(() => {
    if (!document.body.textContent?.includes(text)) throw new Error(`Nothing says “${text}”.`)
  })

async function doIt({ press, typed = {} }: Action, says: string) {
  fireEvent.click(await buttonOf(press))
  await said(says)
  for (const [label, text] of Object.entries(typed)) expect([label, fieldOf(label)?.value]).toEqual([label, text])
}

async function expectFailuresSaid(action: Action) {
  await action.before?.()
  await browser.open(action.path ?? `/admin/members/${member.id}`)
  for (const name of action.open ?? []) {
    const button = await buttonOf(name)
    fireEvent.click(button)
    // Dialogs load their code when opened.
    if (button.getAttribute('aria-haspopup') === 'dialog') await screen.findByRole('dialog')
  }
  await buttonOf(action.press)
  for (const [label, text] of Object.entries(action.typed ?? {})) {
    const field = fieldOf(label)
    if (field) fireEvent.input(field, { target: { value: text } })
  }
  browser.network.usual = { status: 500, body: {} }
  await doIt(action, action.says)
  browser.setSignal(false)
  await doIt(action, 'No signal')
}

for (const action of process.env.FULL ? [...onMemberPage, ...elsewhere] : elsewhere.slice(0, 1))
  test(`EMSG-17 EMSG-28 “${action.says}” is said where the server fails, no signal as that, and what was typed stays`, () =>
    expectFailuresSaid(action))
