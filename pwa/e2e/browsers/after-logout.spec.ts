import type { Visitor } from '../engines/visitor.ts'
import { expect, logIn, openList, type Site, test } from './fixtures.ts'

const email = 'standard@alliance.test'

/** What the pages that are left show of the person, and of no one else. */
const own = [email, 'priya', 'paid until']

/** Another member who is logged in now may have it in their list. */
const video = 'the year on one page'

/** From the newest on. */
const left = ['/members', '/members/calls', '/members?tab=billing']

test('MEMB-10 after a logout Back shows nothing of the person, page by page', async ({ open }) => {
  const phone = await open()
  await leaveFourPages(phone)
  await phone.press('link', 'Logout')
  await phone.sees('text', 'Logged out')
  for (const path of left) await backShowsNothing(phone, path)
  await phone.forward()
  await expectNothing(phone, '/members/calls')
})

test('MEMB-10 a page that’s frozen as another tab logs out, or someone else logs in, shows nothing on Back', async ({
  open,
}) => {
  const phone = await open()
  await leaveFourPages(phone)
  await phone.goto('/blog')
  const first = await phone.tab()
  const second = await phone.newTab()
  await phone.toTab(second)
  await phone.goto('/members')
  await phone.press('link', 'Logout')
  await phone.sees('text', 'Logged out')
  await phone.toTab(first)
  await backShowsNothing(phone, '/members')
  await phone.toTab(second)
  await logIn(phone, 'lite@alliance.test')
  await phone.sees('heading', 'DANNY')
  await phone.toTab(first)
  await backShowsNothing(phone, '/members/calls', /No calls booked/, own)
})

test('MEMB-10 after a logout without signal Back shows nothing of the person either', async ({ open, site }) => {
  const phone = await open()
  await leaveFourPages(phone)
  await logOutWithoutSignal(phone, site)
  for (const path of left) await backShowsNothing(phone, path)
  await site.restore()
  await expect
    .poll(() => site.asked.some(({ path, status }) => path === '/api/auth/logout' && status === 200), {
      timeout: 60_000,
    })
    .toBe(true)
})

/** The list, billing, calls and the list again: a browser may freeze all of them. */
async function leaveFourPages(phone: Visitor) {
  await logIn(phone, email)
  await openList(phone)
  await phone.goto('/members?tab=billing')
  await phone.sees('text', /^Paid until/)
  await phone.goto('/members/calls')
  await phone.sees('heading', /calls/i)
  await phone.goto('/members')
  await phone.sees('heading', 'Strategy')
  await phone.readUntil(() => navigator.serviceWorker.controller !== null)
}

async function logOutWithoutSignal(phone: Visitor, site: Site) {
  await site.loseSignal()
  await phone.readUntil(() => !navigator.onLine)
  await phone.press('link', 'Logout')
  await phone.press('button', 'Log out')
  await phone.sees('text', 'Logged out')
}

async function backShowsNothing(phone: Visitor, path: string, instead = closed, words = [...own, video]) {
  await phone.back()
  await expectNothing(phone, path, instead, words)
}

const closed = /Access Required|Forgot your password|Open this page once/i

/** Looked at from the first moment until the page says what it says to who is here now. */
async function expectNothing(phone: Visitor, address: string, instead = closed, words = [...own, video]) {
  const seen: string[] = []
  const look = async () => {
    const page = await phone.read(whatIsShown).catch(() => undefined)
    if (page?.isTheirs) seen.push(page.said.toLowerCase())
    return page?.address === address && instead.test(page.said)
  }
  await expect.poll(look, { intervals: [100], timeout: 60_000 }).toBe(true)
  for (const word of words) expect(seen.filter((said) => said.includes(word))).toEqual([])
}

/** Runs in the page. One that's closed to them may have led to the login meanwhile, which leads back to it. */
function whatIsShown() {
  const { pathname, search } = location
  const back = new URLSearchParams(search).get('redirect')
  // biome-ignore lint/performance/useDomNodeTextContent: no one sees what's hidden
  return { said: document.body.innerText, address: back ?? pathname + search, isTheirs: !pathname.startsWith('/blog') }
}
