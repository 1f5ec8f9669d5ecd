import { site as words } from '../content.ts'
import { expect, logIn, type Site, test } from './fixtures.ts'

const message = 'Can you ring me about quotes?'
const time = /^\d/

test('API-15 a form that’s sent without signal goes once, from a later opening, and what’s typed since survives', async ({
  open,
  site,
}) => {
  const phone = await open()
  await phone.goto('/contact')
  await phone.readUntil(() => navigator.serviceWorker.controller !== null)
  await phone.fill('Name', 'Sam Field')
  await phone.fill('Email', 'sam@example.com')
  await phone.fill('Message', message)
  await phone.readUntil(isKept, message)
  await site.loseSignal()
  await phone.press('button', 'Send message')
  await phone.sees('text', /Saved on this phone/)
  await phone.close()
  await phone.open()
  await phone.goto('/contact')
  await phone.sees('text', /Saved on this phone/)
  await phone.press('button', 'Write another')
  await phone.fill('Message', 'And the van?')
  await phone.readUntil(isKept, 'And the van?')
  await site.restore()
  await phone.readUntil(hasReceipt)
  expect(sent(site)).toEqual([message])

  await phone.close()
  await phone.open()
  await phone.goto('/contact')
  await phone.readUntil(() => document.querySelector('textarea')?.value === 'And the van?')
  await phone.readUntil(hasReceipt)
  expect(sent(site)).toEqual([message])
})

test('BOOK-3 BOOK-7 a member books a call, moves it and cancels it', async ({ open }) => {
  const phone = await open()
  await logIn(phone, 'standard@alliance.test')
  await phone.goto('/members/book-call')
  await phone.press('button', words.coaches[1]?.name ?? '')
  await phone.press('field', time)
  await phone.press('button', 'Book this call')
  await phone.sees('heading', 'Booked')
  await phone.press('link', 'Your calls')
  await phone.press('button', 'Move')
  const before = await phone.read(heading)
  await phone.press('field', time)
  await phone.press('button', 'Move the call')
  await phone.sees('text', 'Call moved')
  await phone.readUntil((old) => ![...document.querySelectorAll('h3')].some((one) => one.textContent === old), before)
  await phone.press('button', 'Cancel')
  await phone.press('button', 'Yes, cancel it')
  await phone.sees('text', 'Call cancelled')
  await phone.notSees('button', 'Move')
})

/** Messages that arrived. */
const sent = ({ asked }: Site) =>
  asked
    .filter(({ method, path, status }) => method === 'POST' && path === '/api/contact' && status >= 200 && status < 300)
    .map(({ body }): unknown => JSON.parse(body).message)

const isKept = (typed: string) => localStorage.getItem('draft:contact')?.includes(typed)

const hasReceipt = () => document.querySelector('section[aria-label="Receipt"]') !== null

const heading = () => document.querySelector('.calls__call h3')?.textContent ?? ''
