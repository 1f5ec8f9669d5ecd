import { act, fireEvent, render, screen } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { pageTexts } from '#pwa/testing/public-data.ts'
import { Quotes } from './quotes.tsx'

const { quotes } = pageTexts.home

let prefersReducedMotion: boolean
beforeEach(() => {
  prefersReducedMotion = false
  vi.useFakeTimers({ now: new Date(2026, 5, 12, 7, 40) })
  vi.stubGlobal('matchMedia', () => Object.assign(new EventTarget(), { matches: prefersReducedMotion }))
})

const wait = (ms: number) => act(() => vi.advanceTimersByTime(ms))
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))
const line = () => document.querySelector('blockquote')?.textContent
const isFading = () => document.querySelector('.is-fading') !== null
const label = () => document.querySelector('.quote__foot .second')?.textContent
const changesWithin = (ms: number) => {
  const before = line()
  wait(ms)
  return line() !== before
}

test('QUOTE-01 QUOTE-05 DATA-21 starts on the first of fifteen', () => {
  expect(quotes.items).toHaveLength(15)
  render(<Quotes text={quotes} />)
  expect([line(), label()]).toEqual([quotes.items[0]?.text, 'Auto-rotating'])
})

test('QUOTE-02 QUOTE-05 every 8 s another one fades in, in 300 ms', () => {
  render(<Quotes text={quotes} />)
  for (let turn = 0; turn < 5; turn += 1) {
    const before = line()
    wait(turn === 0 ? 7_999 : 7_699)
    expect([line(), isFading()]).toEqual([before, false])
    wait(1)
    expect([line(), isFading()]).toEqual([before, true])
    wait(300)
    expect([line() === before, isFading()]).toEqual([false, false])
  }
})

test('QUOTE-02 any other quote can come next, never the same one', { tags: ['full'] }, () => {
  render(<Quotes text={quotes} />)
  const seen = new Set<string>()
  for (let turn = 0; turn < 200; turn += 1) {
    const before = line()
    press('Refresh')
    wait(300)
    expect(line()).not.toBe(before)
    seen.add(line() ?? '')
  }
  expect(seen).toEqual(new Set(quotes.items.map(({ text }) => text)))
})

test('QUOTE-03 QUOTE-04 Refresh shows another, which stays for 30 s', () => {
  render(<Quotes text={quotes} />)
  press('Refresh')
  expect(changesWithin(300)).toBe(true)
  expect(label()).toBe('Paused')
  expect(changesWithin(29_699)).toBe(false)
  expect(label()).toBe('Paused')
  wait(1)
  expect(label()).toBe('Auto-rotating')
  expect(changesWithin(8_000)).toBe(false)
  expect(changesWithin(300)).toBe(true)
})

test('QUOTE-03 a second Refresh begins the 30 s anew', () => {
  render(<Quotes text={quotes} />)
  press('Refresh')
  wait(20_000)
  press('Refresh')
  wait(29_999)
  expect(label()).toBe('Paused')
  wait(1)
  expect(label()).toBe('Auto-rotating')
})

test('QUOTE-04 can be stopped permanently, and is silent only while it moves', () => {
  render(<Quotes text={quotes} />)
  const live = () => document.querySelector('.quote__line')?.getAttribute('aria-live')
  expect(live()).toBe('off')
  press('Pause')
  expect([label(), live()]).toEqual(['Paused', 'polite'])
  expect(changesWithin(120_000)).toBe(false)
  press('Refresh')
  expect(changesWithin(300)).toBe(true)
  expect(changesWithin(120_000)).toBe(false)
  press('Resume')
  expect(changesWithin(8_000)).toBe(false)
  expect(changesWithin(300)).toBe(true)
})

test('QUOTE-04 stands still where reduced motion is set', () => {
  prefersReducedMotion = true
  render(<Quotes text={quotes} />)
  expect([label(), changesWithin(120_000)]).toEqual(['Paused', false])
})

test('QUOTE-01 the leaf shows the reader’s own day', () => {
  render(<Quotes text={quotes} />)
  expect(document.querySelector('.quote__leaf')?.textContent).toBe('Friday 12 June')
})
