import { labelOf, site as words } from '../content.ts'
import type { Visitor } from '../engines/visitor.ts'
import { expect, logIn, openList, test } from './fixtures.ts'
import { deploy } from './next-build.ts'

const title = 'The year on one page'

test('a new version waits, takes no half-filled form, and comes by one press with one reload', { tag: '@old' }, async ({
  open,
  site,
}) => {
  const phone = await open()
  await phone.goto('/membership-application')
  await phone.readUntil(() => navigator.serviceWorker.controller !== null)
  const [before] = await phone.read(parts)
  await phone.fill('First name', 'Rosalind')
  await deploy(site)
  await phone.read(findVersion)
  await phone.readUntil(async () => Boolean((await navigator.serviceWorker.getRegistration())?.waiting))
  await phone.read(mark)
  expect(await phone.read(() => document.body.textContent.includes('There’s an update'))).toBe(false)
  expect(await phone.read(() => document.querySelector('input')?.value)).toBe('Rosalind')

  await phone.press('link', words.brand.name)
  await phone.sees('status', /^There’s an update/)
  expect(await phone.read(isMarked)).toBe(true)
  await phone.press('button', 'Update')
  await phone.readUntil(() => !('isMarked' in window))
  expect((await phone.read(parts)).includes(before ?? '')).toBe(false)
  await phone.read(mark)
  await phone.readUntil(async () => (await navigator.serviceWorker.getRegistration())?.waiting === null)
  // A link that's pressed before the app is there loads the next page whole.
  await phone.keys('Tab')
  await phone.readUntil(() => globalThis.stopCapturingClicks === undefined)
  await openFromMenu(phone, '/about')
  expect(await phone.read(isMarked)).toBe(true)
  await phone.notSees('status', /^There’s an update/)
})

test('after a deploy that removed the old files, a page that was open still leads to every other', {
  tag: '@old',
}, async ({ open, site }) => {
  const phone = await open()
  await phone.goto('/')
  await phone.sees('heading')
  await deploy(site)
  await openFromMenu(phone, '/blog')
  await phone.press('link', 'Pricing a job properly')
  // The list that's left has that heading, too.
  await phone.readUntil(() => location.pathname.startsWith('/blog/'))
  await phone.sees('heading', 'Pricing a job properly')
  await logIn(phone, 'standard@alliance.test')
  await phone.sees('heading', 'Strategy')
  await phone.back()
  await phone.sees('heading')
})

test('MEMB-01 the members’ area that was open at a deploy keeps working, and so does its next opening', {
  tag: '@old',
}, async ({ open, site }) => {
  const phone = await open()
  await logIn(phone, 'standard@alliance.test')
  await openList(phone)
  await deploy(site)
  await phone.press('link', 'Listen')
  await phone.sees('heading', 'Listen')
  await phone.goto('/members/calls')
  await phone.sees('heading', /calls/i)
  await phone.back()
  await phone.sees('heading', 'Listen')
  await phone.close()
  await phone.open()
  await phone.goto('/members')
  await phone.sees('heading', 'Strategy')
  await phone.press('button', 'Mark Complete', { near: title })
  await phone.sees('button', 'Mark Incomplete', { near: title })
})

async function openFromMenu(phone: Visitor, path: string) {
  await phone.press('button', 'Menu')
  await phone.press('link', labelOf(path))
  await phone.readUntil((there) => location.pathname === there, path)
  await phone.sees('heading')
}

/** As a page does each hour, and when it's opened. */
async function findVersion() {
  await (await navigator.serviceWorker.getRegistration())?.update()
}

/** A page that's loaded again isn't marked. */
const mark = () => {
  Reflect.set(window, 'isMarked', true)
}
const isMarked = () => 'isMarked' in window

/** The files this page was started with. */
const parts = () => (document.getElementById('root')?.dataset.entry ?? '').split(' ')
