import { act, fireEvent, render, screen } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { SiteContentProvider } from '#pwa/lib/site-content.tsx'
import { pageTexts, siteContent } from '#pwa/testing/public-data.ts'
import { Reviews } from './reviews.tsx'

const { reviews } = pageTexts.home

let prefersReducedMotion: boolean
beforeEach(() => {
  prefersReducedMotion = false
  vi.useFakeTimers()
  vi.stubGlobal('matchMedia', () => Object.assign(new EventTarget(), { matches: prefersReducedMotion }))
})

const show = (text = reviews, content = siteContent) =>
  render(
    <SiteContentProvider content={content}>
      <Reviews text={text} />
    </SiteContentProvider>,
  )

const wait = (ms: number) => act(() => vi.advanceTimersByTime(ms))
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))
const slip = (place: string) => document.querySelector(`.${place} blockquote`)?.textContent
const middle = () => Number(document.querySelector('[aria-current]')?.getAttribute('aria-label')?.split(' ')[1])
const live = () => document.querySelector('.signed')?.getAttribute('aria-live')

test('CARO-01 DATA-20 advances every 4 s, and from the ninth review to the first', () => {
  show()
  const seen = [middle()]
  for (let turn = 0; turn < 9; turn += 1) {
    wait(3_999)
    expect(middle()).toBe(seen.at(-1))
    wait(1)
    seen.push(middle())
  }
  expect(seen).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 1])
})

test.each([
  ['Next review', 2],
  ['Previous review', 9],
  ['Review 5 of 9', 5],
])('CARO-02 %s is a choice: it shows, and nothing moves any more', (name, expected) => {
  show()
  press(name)
  expect(middle()).toBe(expected)
  wait(60_000)
  expect(middle()).toBe(expected)
  expect(screen.getByRole('button', { name: 'Resume Auto-play' })).toBeTruthy()
})

test('CARO-03 one button pauses and resumes it', () => {
  show()
  press('Pause Auto-play')
  wait(60_000)
  expect(middle()).toBe(1)
  press('Resume Auto-play')
  wait(4_000)
  expect(middle()).toBe(2)
  expect(screen.getByRole('button', { name: 'Pause Auto-play' })).toBeTruthy()
})

test('CARO-04 three that follow each other, the one in the middle marked', () => {
  show()
  const texts = reviews.items.map(({ text }) => text)
  expect(['is-before', 'is-mid', 'is-next'].map(slip)).toEqual([texts[8], texts[0], texts[1]])
  press('Review 9 of 9')
  expect(['is-before', 'is-mid', 'is-next'].map(slip)).toEqual([texts[7], texts[8], texts[0]])
})

test('CARO-01 says nothing to screen readers while it moves, and announces what the visitor chose', () => {
  show()
  expect(screen.getByRole('region', { name: 'Reviews' }).getAttribute('aria-roledescription')).toBe('carousel')
  expect(live()).toBe('off')
  press('Next review')
  expect(live()).toBe('polite')
})

test('CARO-01 CARO-03 stands still where reduced motion is set, until started', () => {
  prefersReducedMotion = true
  show()
  wait(60_000)
  expect([middle(), live()]).toEqual([1, 'polite'])
  press('Resume Auto-play')
  wait(4_000)
  expect(middle()).toBe(2)
})

test.each([1, 2])('CARO-04 %i real reviews stand without gaps', (count) => {
  show({ ...reviews, items: reviews.items.slice(0, count) })
  expect(document.querySelectorAll('.is-mid, .is-next, .is-before')).toHaveLength(count)
  expect(screen.queryAllByRole('button').length > 0).toBe(count > 1)
})

test('DATA-20 a heading and each slip say which reviews are samples; real ones carry neither', () => {
  const labels = () => [...document.querySelectorAll('figcaption')].map(({ textContent }) => textContent)
  const items = reviews.items.map((review) => ({ ...review, isSample: true }))
  show({ ...reviews, items })
  screen.getByRole('heading', { level: 3, name: 'Sample reviews: we made these people up' })
  expect(labels()).toEqual(items.map(({ rating }) => `Sample ${rating} out of 5`))
  expect(screen.queryByText('Verified customer')).toBeNull()
  document.body.replaceChildren()
  show({ ...reviews, items: items.map((review) => ({ ...review, isSample: false })) })
  expect(screen.queryByRole('heading', { level: 3 })).toBeNull()
  expect(labels()).not.toContainEqual(expect.stringContaining('Sample'))
})

test('CARO-06 CONST-07 the rating is a claim with a switch', () => {
  const { claims } = siteContent
  show(reviews, { ...siteContent, claims: { ...claims, rating: { ...claims.rating, isOn: true } } })
  expect(document.querySelector('.rated')?.textContent).toBe(`${claims.rating.figure} ${claims.rating.label}`)
  document.body.replaceChildren()
  show(reviews, { ...siteContent, claims: { ...claims, rating: { ...claims.rating, isOn: false } } })
  expect(document.querySelector('.rated')).toBeNull()
})
