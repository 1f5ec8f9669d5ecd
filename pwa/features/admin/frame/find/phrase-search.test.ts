import { expect, test } from 'vitest'
import { contentPhrases, phrases, tabPhrases } from '#pwa/features/admin/frame/phrase-texts.ts'
import { allTabs } from '#pwa/features/admin/frame/places.ts'
import { mailKinds } from '#shared/contract/texts/mails.ts'
import { commandsOf } from './command-search.ts'
import { createPhraseFinder } from './phrase-search.ts'

const known = commandsOf(allTabs)
const ids = known.map(({ id }) => id)
const find = createPhraseFinder(known)

test('the table has 300 phrases and more, each leads there in the first three, and 97 in 100 lead there first', () => {
  const all = known.flatMap(({ id, phrases: own }) => own.slice(1).map((phrase) => [id, phrase] as const))
  expect(all.length).toBeGreaterThan(300)
  const places = all.map(([id, phrase]) => find(phrase).indexOf(id))
  expect(all.filter((_, at) => ![0, 1, 2].includes(places[at] ?? -1))).toEqual([])
  expect(places.filter((place) => place === 0).length / all.length).toBeGreaterThan(0.97)
  expect(Object.keys(tabPhrases).filter((name) => !ids.includes(name))).toEqual([])
  expect(Object.keys(contentPhrases).filter((name) => !ids.includes(`content:${name}`))).toEqual([])
  expect(mailKinds.filter((kind) => !(`mails.${kind}` in contentPhrases))).toEqual([])
  for (const { to } of phrases) if (to) expect(allTabs.map((tab) => tab.name)).toContain(to)
})

test('a page and an email of the site are found by what people call them, and open at their words', () => {
  const led = (typed: string) => known.find(({ id }) => id === find(typed)[0])?.target
  const words = (page: string, part?: string) => ({ to: 'words', search: part ? { page, part } : { page } })
  expect(
    ['about page', 'cookies', 'terms', 'contact page', 'welcome email', 'testimonials', 'footer'].map(led),
  ).toEqual([
    ...[words('about'), words('cookies'), words('terms'), words('contact')],
    ...[words('mails', 'welcome'), words('home', 'reviews'), words('site', 'quickLinks')],
  ])
  expect(find('email wording')[0]).toBe('Words of the emails')
})

/** As people say it, by somebody who had not seen the table. */
const said: Record<string, readonly string[]> = {
  today: ['what do I need to do this morning', 'my to do list', 'jobs for today'],
  members: ['how many customers have we got', 'lads who are paying us'],
  inactive: ['people who’ve left', 'old customers'],
  'at-risk': ['who’s about to quit', 'gone quiet on us'],
  'Refund a member': ['give him his money back', 'reimberse a customer'],
  'Take access away': ['kick someone out', 'let him back in'],
  'Remove a member': ['delete a customer'],
  'Give a free month': ['a month on the house'],
  'Change somebody’s tier': ['move someone to the dearer package'],
  'Write a note about somebody': ['jot something down about a customer'],
  'Change your own password': ['change my password'],
  'Invite a member': ['get a mate to join'],
  applications: ['who wants to join', 'say yes to a new lad', 'turn someone down'],
  coaching: ['wants one to one help'],
  questions: ['who’s waiting for an answer'],
  contacts: ['somebody’s asked us a question'],
  'Reply to a message': ['write back to someone'],
  bookings: ['appointmets'],
  orders: ['who’s bought the quoting setup'],
  calendar: ['diary', 'put a zoom in for tuesday'],
  'Move a call': ['call off thursday’s meeting'],
  'Take a day off': ['going on holiday', 'block out friday'],
  'Hours for calls': ['when can people ring me'],
  invoices: ['bills', 'receit for a customer'],
  'Export for the accountant': ['VAT return', 'stuff for my accountant'],
  'Members with a payment due': ['who hasn’t paid'],
  'Ask for another card': ['card got knocked back'],
  payments: ['monthly takings'],
  revenue: ['turnover'],
  payouts: ['what’s landed in the bank'],
  earned: ['my cut'],
  rates: ['what percentage does the salesman get'],
  'Commission to pay': ['what we owe the salesman'],
  tiers: ['how much do we charge', 'monthly subscripton fee'],
  'Change a price': ['put our prices up', 'price from next month', 'put the price up in January'],
  videos: ['training films'],
  'Add a video': ['put a new lesson up'],
  watching: ['are they doing their homework'],
  'New post': ['write an article'],
  'Add an episode': ['put a new episode on'],
  words: ['change the wording on the home page', 'spelling mistake on the website'],
  media: ['phitos of the lads'],
  analytics: ['how many people look at the website'],
  mailings: ['newsleter'],
  'Email all members': ['email everyone'],
  'follow-ups': ['reminder that goes out by itself', 'welcome email'],
  announcements: ['notice board'],
  'Put up an announcement': ['tell the lads we’re shut at christmas'],
  'Phone and opening hours': ['our phone number is wrong'],
  'Change the logo': ['change the colours'],
  'Invite an owner': ['give my business partner a login'],
  mail: ['emails going in the spam'],
  audit: ['who changed that'],
  'Run a backup': ['save a copy of everything'],
  jobs: ['is everything working'],
  tokens: ['connect zapier'],
}

test('of seventy everyday phrases, sixty-five and more lead right, and “logo” never to Logout', () => {
  const all = Object.entries(said).flatMap(([to, some]) => some.map((phrase) => [to, phrase] as const))
  expect(all.length).toBeGreaterThanOrEqual(70)
  const astray = all.filter(([to, phrase]) => !find(phrase).slice(0, 3).includes(to))
  expect(astray.length, JSON.stringify(astray)).toBeLessThanOrEqual(all.length - 65)
  expect(find('logo')).not.toContain('Logout')
  const first = (typed: string) => find(typed)[0]
  expect(['phone number', 'opening hours', 'help'].map(first)).toEqual([
    ...['Phone and opening hours', 'Phone and opening hours', 'Help'],
  ])
  expect(find('xyzzy')).toEqual([])
})

test('a coupon is a free month, a domain the site’s address, dark mode follows the device, everything is taken out at Move in or out', () => {
  const first = (typed: string) => known.find(({ id }) => id === find(typed)[0])
  for (const typed of ['coupon', 'coupon code', 'voucher']) expect(first(typed)?.target.open, typed).toBe('free-month')
  for (const typed of ['domain', 'our domain', 'change the domain'])
    expect(first(typed)?.target, typed).toMatchObject({ to: 'addresses', search: { group: 'site' } })
  for (const typed of ['dark', 'dark mode', 'night mode'])
    expect(first(typed)?.second, typed).toBe('Follows your device until you do.')
  for (const typed of ['export everything', 'download everything', 'move out', 'all our data'])
    expect(first(typed)?.label, typed).toBe('Move in or out')
})
