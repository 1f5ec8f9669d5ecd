import { readFileSync } from 'node:fs'
import * as v from 'valibot'
import { pages } from '../content.ts'
import type { Visitor } from '../engines/visitor.ts'
import { logIn, openList, test, untilTakenOver } from './fixtures.ts'
import { kept } from './ticks.ts'

const email = 'standard@alliance.test'
const title = 'The year on one page'

const manifest: unknown = JSON.parse(readFileSync('pwa/public/manifest.webmanifest', 'utf8'))
const icon = v.parse(v.object({ start_url: v.string() }), manifest).start_url

const showsList = (phone: Visitor) => phone.sees('heading', 'Strategy')

type Way = { address: string; shows: (phone: Visitor) => Promise<void> }

/** A bookmark, and the link in a mail about a payment. The icon's page is the one before, frozen in the cache. */
const ways: Way[] = [
  { address: '/members/calls', shows: (phone) => phone.sees('heading', /calls/i) },
  { address: '/members?tab=billing', shows: (phone) => phone.sees('text', /^Paid until/) },
]

test('MEMB-14 MEMB-19 the members’ area opens from the icon, a bookmark and a mail’s link, after a frozen page, beside another tab and after a night', async ({
  open,
  site,
}) => {
  const phone = await open({ hasOwnClock: true })
  await logIn(phone, email)
  await openList(phone)
  for (const { address, shows } of ways) {
    // The list is left before it has read anything, and then in the middle of what it sends.
    await phone.goto(icon)
    await phone.goto(address)
    await shows(phone)
    await phone.back()
    await showsList(phone)
    await phone.press('button', 'Update now')
    await phone.forward()
    await shows(phone)
  }
  const first = await phone.tab()
  const second = await phone.newTab()
  await phone.toTab(first)
  await phone.goto(icon)
  await showsList(phone)
  await phone.toTab(second)
  await phone.goto(icon)
  await showsList(phone)
  await phone.toTab(first)
  await tickIsSeen(phone, second)

  // Both tabs fall asleep in the middle of an update, with pages in the cache.
  await phone.press('button', 'Update now')
  phone.sleep()
  phone.wake()
  await phone.moveClock(1)
  await showsList(phone)
  await phone.sees('status', /^Your ticks are saved/)
  await phone.toTab(first)
  await phone.goto(icon)
  await showsList(phone)
  await phone.sees('button', 'Mark Incomplete', { near: title })
  await phone.back()
  await phone.sees('text', /^Paid until/)
  await kept(site, email, [title])
})

async function tickIsSeen(phone: Visitor, other: string) {
  await phone.press('button', 'Mark Complete', { near: title })
  await phone.sees('button', 'Mark Incomplete', { near: title })
  await phone.toTab(other)
  await phone.sees('button', 'Mark Incomplete', { near: title })
}

test('ROUTE-2 BOOK-7 once the server is back, a page that couldn’t come is there and calls can be changed, though nothing tells the phone', async ({
  open,
  site,
}) => {
  const phone = await open()
  await phone.goto('/')
  await untilTakenOver(phone)
  await site.loseServer()
  await phone.goto('/about')
  await phone.sees('heading', 'Not on this phone yet')
  await site.restore()
  await phone.notSees('heading', 'Not on this phone yet')
  await phone.sees('heading', pages.about.heading)

  await logIn(phone, email)
  await phone.goto('/members/calls')
  await phone.sees('link', 'Book a 30-minute call')
  await site.loseServer()
  await phone.reload()
  await phone.sees('status', 'No signal. This is what’s saved on your phone.')
  await site.restore()
  await phone.notSees('status', 'No signal. This is what’s saved on your phone.')
  await phone.sees('link', 'Book a 30-minute call')
})
