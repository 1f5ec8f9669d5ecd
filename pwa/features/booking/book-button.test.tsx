import { act, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { SiteContentProvider } from '#pwa/lib/site-content.tsx'
import { siteContent } from '#pwa/testing/public-data.ts'
import { BookButton } from './book-button.tsx'

const booking = 'https://calendar.test/free-call'
const content = { ...siteContent, links: { ...siteContent.links, booking } }

beforeEach(() => {
  HTMLDialogElement.prototype.showModal = function () {
    this.open = true
  }
  HTMLDialogElement.prototype.close = function () {
    this.open = false
    this.dispatchEvent(new Event('close'))
  }
})

afterEach(() => {
  vi.useRealTimers()
})

async function open() {
  render(
    <SiteContentProvider content={content}>
      <BookButton title="Book a free call">BOOK A CALL</BookButton>
    </SiteContentProvider>,
  )
  expect(document.querySelector('iframe')).toBeNull()
  fireEvent.click(screen.getByRole('button', { name: 'BOOK A CALL' }))
  return screen.findByTitle('Booking calendar')
}

const isCovered = () => screen.queryByText('Loading the calendar…') !== null

test('HOME-13 the calendar opens in an iframe once the button is pressed, and closes with the cross', async () => {
  const iframe = await open()
  expect(iframe.getAttribute('src')).toBe(booking)
  expect(await screen.findByRole('dialog', { name: 'Book a free call' })).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'Close' }))
  expect(document.querySelector('iframe')).toBeNull()
  fireEvent.click(screen.getByRole('button', { name: 'BOOK A CALL' }))
  expect(await screen.findByTitle('Booking calendar')).toBeTruthy()
})

test('HOME-14 it is covered until it has loaded', async () => {
  const iframe = await open()
  expect(isCovered()).toBe(true)
  fireEvent.load(iframe)
  expect(isCovered()).toBe(false)
})

test('HOME-14 it is covered for 2 s at most', async () => {
  await open()
  fireEvent.click(screen.getByRole('button', { name: 'Close' }))
  vi.useFakeTimers()
  fireEvent.click(screen.getByRole('button', { name: 'BOOK A CALL' }))
  act(() => vi.advanceTimersByTime(1_999))
  expect(isCovered()).toBe(true)
  act(() => vi.advanceTimersByTime(1))
  expect(isCovered()).toBe(false)
})

test('HOME-15 the calendar opens in a tab of its own too', async () => {
  await open()
  const link = screen.getByRole('link', { name: 'Open the calendar in a new tab' })
  expect([link.getAttribute('href'), link.getAttribute('target')]).toEqual([booking, '_blank'])
})

test('HOME-16 a calendar that never answers is logged after 10 s and uncovered, and can be tried again', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  await open()
  fireEvent.click(screen.getByRole('button', { name: 'Close' }))
  vi.useFakeTimers()
  fireEvent.click(screen.getByRole('button', { name: 'BOOK A CALL' }))
  act(() => vi.advanceTimersByTime(9_999))
  expect(warn.mock.calls).toEqual([])
  act(() => vi.advanceTimersByTime(1))
  expect(isCovered()).toBe(false)
  expect(warn.mock.calls).toEqual([['Booking calendar could not be loaded.']])
  const before = screen.getByTitle('Booking calendar')
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(screen.getByTitle('Booking calendar')).not.toBe(before)
  expect(isCovered()).toBe(true)
})

test('HOME-16 a calendar that has loaded is not logged', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  await open()
  fireEvent.click(screen.getByRole('button', { name: 'Close' }))
  vi.useFakeTimers()
  fireEvent.click(screen.getByRole('button', { name: 'BOOK A CALL' }))
  fireEvent.load(screen.getByTitle('Booking calendar'))
  act(() => vi.advanceTimersByTime(20_000))
  expect(warn.mock.calls).toEqual([])
})
