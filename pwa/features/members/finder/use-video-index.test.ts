import { expect, test } from 'vitest'
import searchWords from '#data/content/pages/search-words.json' with { type: 'json' }
import { videoText } from '#data/seed/video-texts.ts'
import { videoSeeds } from '#data/seed/videos.ts'
import { nextVisit } from '#pwa/features/members/stored/use-new-videos.ts'
import type { Finder } from './use-finder.ts'
import { createVideoIndex, findLines, findVideos } from './use-video-index.ts'

const videos = videoSeeds.map((seed) => ({ ...seed, id: seed.slug, createdAt: '', updatedAt: '' }))
const texts = videoSeeds.map((seed) => ({ ...videoText(seed), videoId: seed.slug, hasCaptions: true }))
const index = createVideoIndex(videos, texts, searchWords.groups)
const all: Finder = { words: '', show: 'all', length: 'any', sort: 'order' }
const done = new Set(['the-week-on-one-page'])
const kept = new Set(['vat-without-the-panic', 'the-week-on-one-page'])
const find = (finder: Partial<Finder>, fresh = new Set<string>()) =>
  findVideos(
    videos,
    index,
    { ...all, ...finder },
    { isDone: (id) => done.has(id), isNew: (id) => fresh.has(id), isKept: (id) => kept.has(id) },
  )
const titles = (finder: Partial<Finder>) => find(finder).map(({ title }) => title)

test('videos are found by title, description and transcript, the best first, with letters missing or wrong', () => {
  expect(titles({ words: 'late invoice' })[0]).toBe('Chasing a late invoice')
  expect(titles({ words: 'invioce' })).toContain('Chasing a late invoice')
  expect(titles({ words: 'standing order' })).toContain('Paying yourself first')
  expect(titles({ words: 'aprentice' })).toContain('Your first lad')
  expect(titles({ words: 'stopc' })).toContain('When a job goes wrong')
  expect(titles({ words: 'zeppelin' })).toEqual([])
  expect(titles({ words: 'pricelist' }).slice(0, 3)).toContain('Pricing a day, pricing a job')
  expect(titles({ words: 'websight' })).toEqual(titles({ words: 'website' }))
})

test('what members call it finds the video among the first three', () => {
  const wanted: Record<string, string> = {
    'day rate': 'Pricing a day, pricing a job',
    'what to charge': 'Pricing a day, pricing a job',
    'hourly cost': 'What an hour really costs you',
    overheads: 'What an hour really costs you',
    'late payment': 'Chasing a late invoice',
    'customers not paying': 'Chasing a late invoice',
    'money up front': 'Deposits and stage payments',
    'cash flow': 'Deposits and stage payments',
    wages: 'Paying yourself first',
    'tax bill': 'Paying yourself first',
    bookkeeper: 'An accountant answers',
    hiring: 'Your first lad',
    apprentices: 'Your first lad',
    delegating: 'Handing over a job whole',
    'staff meeting': 'Toolbox talks that work',
    'sacking someone': 'Hard conversations',
    holidays: 'Two weeks off, phone off',
    'burnt out': 'Two weeks off, phone off',
    paperwork: 'The week on one page',
    'estimates at night': 'The end of quoting at night',
    'quotation template': 'Your quote templates',
    'too dear': '“You are more expensive”',
    'chase quotes': 'Following up without begging',
    surveys: 'The site visit that sells',
    complaints: 'When a job goes wrong',
    'maintenance contracts': 'Service plans that people keep',
    'google testimonials': 'Reviews that write themselves',
    'web site': 'A website that rings',
    'more work': 'The handover that brings work',
    'turning down jobs': 'Saying no and keeping the customer',
  }
  const missed = Object.entries(wanted).filter(([words, title]) => !titles({ words }).slice(0, 3).includes(title))
  expect(Object.keys(wanted)).toHaveLength(30)
  expect(missed).toEqual([])
})

test('words written as one or as two, misspelt or with others between them find it too', () => {
  const wanted: Record<string, string> = {
    'raising my rates': 'Pricing a day, pricing a job',
    dayrate: 'Pricing a day, pricing a job',
    'putting up my prices': 'Pricing a day, pricing a job',
    'work life balance': 'Boundaries with customers',
    'burn out': 'Two weeks off, phone off',
    latepayment: 'Chasing a late invoice',
    'invoise not payed': 'Chasing a late invoice',
    overheds: 'What an hour really costs you',
    cashflo: 'Deposits and stage payments',
    aprentise: 'Your first lad',
    'employing my first person': 'Your first lad',
    bookeeper: 'An accountant answers',
    delagating: 'Handing over a job whole',
    'tyre kickers': 'Choosing the work you want',
    'customer moaning': 'When a job goes wrong',
    holliday: 'Two weeks off, phone off',
  }
  const missed = Object.entries(wanted).flatMap(([words, title]) => {
    const found = titles({ words }).slice(0, 3)
    return found.includes(title) ? [] : [{ words, found }]
  })
  expect(missed).toEqual([])
})

test('one slip is forgiven from five letters on; any of the words will do, and videos with all of them come first', () => {
  expect(titles({ words: 'reveiws' })).toContain('Reviews that write themselves')
  expect(titles({ words: 'wbsite' })).toContain('A website that rings')
  expect(titles({ words: 'prcie' })).toContain('Pricing a day, pricing a job')
  expect(titles({ words: 'vta' })).toEqual([])
  // An ending that’s mistyped, and a word nobody said that’s like none of theirs.
  expect(titles({ words: 'pricng' })).toContain('Pricing a day, pricing a job')
  expect(titles({ words: 'quotign' })).toContain('The end of quoting at night')
  expect(titles({ words: 'invoyces' })).toContain('Chasing a late invoice')
  expect(titles({ words: 'forgiving' })).toEqual([])
  const found = titles({ words: 'late zeppelin invoice' })
  expect(found[0]).toBe('Chasing a late invoice')
  expect(found).toContain('From enquiry to invoice')
})

test('the line that has the words is found, with its second', () => {
  const text = (videoId: string, transcript: string, marks?: [number, number][]) => ({
    videoId,
    transcript,
    notes: null,
    hasCaptions: true,
    ...(marks ? { marks } : {}),
  })
  const [one, two] = videos
  const own = createVideoIndex(
    videos,
    [
      text(one?.id ?? '', 'Put the margin on. Then ask for the deposit.\n\nThe deposit is a third.', [
        [0, 0],
        [4, 19],
        [9, 46],
      ]),
      text(two?.id ?? '', 'A deposit, in writing.'),
    ],
    [],
  )
  expect(Object.fromEntries(findLines(own, 'deposit third'))).toMatchObject({
    [one?.id ?? '']: { from: 9, words: 'The deposit is a third.' },
  })
  expect(findLines(own, 'deposi').get(two?.id ?? '')).toEqual({ from: null, words: 'A deposit, in writing.' })
  expect(findLines(own, 'zeppelin').size).toBe(0)
})

test('videos are filtered by state, newness and length, and sorted', () => {
  expect(find({})).toEqual(videos)
  expect(find({ show: 'done' }).map(({ id }) => id)).toEqual([...done])
  expect(find({ show: 'to-do' })).toHaveLength(videos.length - 1)
  expect(new Set(find({ show: 'kept' }).map(({ id }) => id))).toEqual(kept)
  expect(find({ show: 'new' }, new Set(['hard-conversations'])).map(({ id }) => id)).toEqual(['hard-conversations'])
  expect(titles({ length: 'long' })).toEqual(['Autumn campaign workshop', 'An accountant answers'])
  expect(titles({ sort: 'shortest' })[0]).toBe('Toolbox talks that work')
})

test('new is what came since the last visit: all of it until the next one, and nothing at the first', () => {
  const hour = 3_600_000
  const first = nextVisit(null, ['a', 'b'], 0)
  expect(first.known).toEqual(['a', 'b'])
  const same = nextVisit(first, ['a', 'b', 'c'], hour)
  expect([same.known, same.latest]).toEqual([
    ['a', 'b'],
    ['a', 'b', 'c'],
  ])
  expect(nextVisit(same, ['a', 'b', 'c', 'd'], 6 * hour).known).toEqual(['a', 'b', 'c'])
})
