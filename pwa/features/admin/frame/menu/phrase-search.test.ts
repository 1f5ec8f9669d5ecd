import { expect, test } from 'vitest'
import { phrases, tabPhrases } from '#pwa/features/admin/frame/phrase-texts.ts'
import { allTabs } from '#pwa/features/admin/frame/places.ts'
import { createPhraseFinder } from './phrase-search.ts'

const known = [
  ...allTabs.map(({ name, label }) => ({ id: name, phrases: [label, name, ...(tabPhrases[name] ?? '').split(', ')] })),
  ...phrases.map(({ label, also }) => ({ id: label, phrases: [label, ...also.split(', ')] })),
]
const find = createPhraseFinder(known)

test('the table has 300 phrases and more, each for one thing, and each leads there first', () => {
  const all = known.flatMap(({ id, phrases: own }) => own.slice(1).map((phrase) => [id, phrase] as const))
  expect(all.length).toBeGreaterThan(300)
  const astray = all.filter(([id, phrase]) => !find(phrase).slice(0, 3).includes(id))
  expect(astray).toEqual([])
  for (const name of Object.keys(tabPhrases)) expect(allTabs.map((tab) => tab.name)).toContain(name)
  for (const phrase of phrases) if (phrase.to) expect(allTabs.map((tab) => tab.name)).toContain(phrase.to)
})

/** As people type them, written apart from the table. */
const typed: Record<string, readonly string[]> = {
  'Refund a member': ['refund', 'give tom his money back', 'refnd', 'part refund'],
  'Give a free month': ['free month', 'give a month free', 'freebie month'],
  'Change a price': [
    ...['put prices up', 'change the price of lite', 'price increase', 'new prices', 'raise the price'],
    ...['price from next month', 'put the price up in January'],
  ],
  'New post': ['write a post', 'new blog', 'post with picture', 'add an article'],
  'Add a video': ['upload a video', 'add video', 'new lesson', 'captions', 'subtitle'],
  'Move a call': ['reschedule a call', 'move a call', 'cancel call'],
  'Who is about to leave': ['who is leaving', 'about to leave', 'going quiet'],
  'Edit a page’s content': ['headline', 'change home page', 'edit the words', 'home page headline'],
  'Export for the accountant': ['accountant', 'quarter', 'vat return', 'xero'],
  'Invite a member': ['invite', 'add a member', 'invite somebody', 'invitation'],
  'Invite an owner': ['invite an owner', 'add an admin', 'new owner'],
  'Email all members': ['email everyone', 'email all members', 'send email to everybody', 'write to all'],
  'Put up an announcement': ['announcement', 'announce'],
  'Ask for another card': ['failed card', 'card declined', 'send card link', 'update card'],
  'Change the logo': ['logo', 'logos', 'change colours', 'brand'],
  settings: ['company details', 'vat number', 'business address', 'company number'],
  'View as Member': ['see the site as a member', 'what a member sees', 'log in as'],
  'Take a day off': ['day off', 'holiday', 'bank holidays'],
  'Commission to pay': ['commission owed', 'commission due'],
  'Earned last month': ['last month', 'what did we earn'],
  earned: ['profit', 'what’s left'],
  payouts: ['payout', 'money in the bank'],
  Logout: ['log out', 'sign out'],
}

test('of sixty everyday phrases, fifty and more lead right, and “logo” never to Logout', () => {
  const all = Object.entries(typed).flatMap(([to, some]) => some.map((phrase) => [to, phrase] as const))
  expect(all.length).toBeGreaterThanOrEqual(60)
  const astray = all.filter(([to, phrase]) => !find(phrase).slice(0, 3).includes(to))
  expect(astray.length, JSON.stringify(astray)).toBeLessThanOrEqual(all.length - 50)
  expect(find('logo')).not.toContain('Logout')
  expect(find('xyzzy')).toEqual([])
})
