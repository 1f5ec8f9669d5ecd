import { act, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { pageTexts, siteContent, tiers } from '#pwa/testing/public-data.ts'
import { renderInApp } from '#pwa/testing/render-in-app.tsx'
import { renderPage, textOf } from '#pwa/testing/rendered-page.ts'
import { CoachCallPage } from './coach-call-page.tsx'

const kinds = [
  { page: 'book-call', height: 600, calendars: ['https://calls.test/1', 'https://calls.test/2'] },
  { page: 'catch-up', height: 800, calendars: ['https://calls.test/3', 'https://calls.test/4'] },
] as const

type Kind = (typeof kinds)[number]

function show({ page, height, calendars }: Kind, isConfigured = true) {
  const kind = page === 'book-call' ? 'coaching' : page
  const shown = { kind, text: pageTexts[page], height, calendars: isConfigured ? calendars : [] } as const
  renderInApp(<CoachCallPage {...shown} search={{}} />)
}

const coachName = (place: number) => siteContent.coaches[place]?.name ?? ''
const chooseCoach = (place: number) => `${pageTexts['book-call'].choice.action} ${coachName(place)}`

async function choose(place: number) {
  const button = screen.getByRole('button', { name: chooseCoach(place) })
  fireEvent.click(button)
  await act(() => vi.dynamicImportSettled())
}

function headingAndList(html: string): string[] {
  const [, heading = '', list = ''] = /<h2 class="points">(.*?)<\/h2><ul[^>]*>(.*?)<\/ul>/s.exec(html) ?? []
  return [heading, ...[...list.matchAll(/<li[^>]*>(.*?)<\/li>/gs)].map(([, item = '']) => item)].map(textOf)
}

test('BOOK-1 BOOK-2 the page of the monthly call: each coach with days and length, and what to expect as a list', async () => {
  const { choice, points } = pageTexts['book-call']
  const { html, text } = await renderPage('/book-call')
  const longer = `60 minutes with ${tiers.find(({ callDuration }) => callDuration === 60)?.name}`
  for (const [index, { name }] of siteContent.coaches.entries())
    expect(text).toContain(`${name}${choice.availability[index]}${choice.session}${longer}`)
  expect(headingAndList(html)).toEqual([points.heading, ...points.list])
})

test('BOOK-7 the page of the catch-up, which is as long for everybody', async () => {
  const { choice, points } = pageTexts['catch-up']
  const { html, text } = await renderPage('/catch-up')
  expect(text).toContain(choice.session)
  expect(text).not.toContain('minutes with')
  expect(headingAndList(html)).toEqual([points.heading, ...points.list])
})

test('BOOK-8 each page takes its calendars, two coaches each, from its own addresses', async () => {
  const [calls, catchUps] = kinds
  const links = { coachCalls: calls.calendars, catchUps: catchUps.calendars }
  for (const { page, calendars } of kinds) {
    const { html } = await renderPage(`/${page}`, { links })
    expect([...html.matchAll(/href="(https:\/\/calls\.test\/\d)"/g)].map(([, to]) => to)).toEqual(calendars)
  }
})

test('BOOK-5 without JavaScript the choice says so, and leads to the calendar or the coach', async () => {
  const [{ calendars }] = kinds
  for (const [coachCalls, expected] of [
    [calendars, calendars],
    [[], siteContent.coaches.map(({ email }) => `mailto:${email}`)],
  ] as const) {
    const { html } = await renderPage('/book-call', { links: { coachCalls } })
    const lines = html.match(/<noscript><p class="second">You need JavaScript to choose here\..*?<\/noscript>/g) ?? []
    expect(lines.map((line) => line.match(/href="([^"]*)"/)?.[1])).toEqual(expected)
  }
})

test.each(kinds)(
  'the lead of $page tells of times only where there are some to choose',
  async ({ page, calendars }) => {
    const { lead, leadWithoutTimes } = pageTexts[page]
    const links = { coachCalls: calendars, catchUps: calendars }
    const withTimes = (await renderPage(`/${page}`, { links })).text
    expect([withTimes.includes(lead), withTimes.includes(leadWithoutTimes)]).toEqual([true, false])
    const without = (await renderPage(`/${page}`, { links: { coachCalls: [], catchUps: [] }, site: { calls: {} } }))
      .text
    expect([without.includes(lead), without.includes(leadWithoutTimes)]).toEqual([false, true])
  },
)

describe('in the browser', () => {
  beforeEach(() => vi.useFakeTimers())
  afterEach(() => vi.useRealTimers())

  test.each(kinds)('BOOK-2 BOOK-3 BOOK-4 BOOK-5 BOOK-7 the calendar of $page', async (kind) => {
    show(kind)
    await choose(1)
    const address = kind.calendars[1]
    const iframe = screen.getByTitle(`Booking calendar, ${coachName(1)}`)
    expect(iframe.getAttribute('src')).toBe(address)
    expect(iframe.parentElement?.className).toContain(`outside__frame--${kind.height}`)
    for (const name of ['Open Direct Booking', pageTexts[kind.page].calendar.troubleLink]) {
      const link = screen.getByRole('link', { name })
      expect([link.getAttribute('href'), link.getAttribute('target')]).toEqual([address, '_blank'])
    }
    expect(screen.getByText(pageTexts[kind.page].calendar.select)).toBeTruthy()
    act(() => vi.advanceTimersByTime(1_499))
    expect(screen.getByText('Loading calendar...')).toBeTruthy()
    act(() => vi.advanceTimersByTime(1))
    expect(screen.queryByText('Loading calendar...')).toBeNull()
  })

  test('BOOK-6 Choose Different Coach goes back to the choice, and the focus to where it was', async () => {
    show(kinds[0])
    await choose(0)
    expect(document.activeElement?.textContent).toBe(coachName(0))
    fireEvent.click(screen.getByRole('button', { name: 'Choose Different Coach' }))
    expect(document.activeElement).toBe(screen.getByRole('button', { name: chooseCoach(0) }))
    expect(screen.queryByTitle(/Booking calendar/)).toBeNull()
  })

  test('BOOK-3 a coach without a calendar is written to', () => {
    show(kinds[0], false)
    expect(screen.queryByRole('button', { name: chooseCoach(0) })).toBeNull()
    const link = screen.getByRole('link', { name: `Email ${coachName(0)} for a time` })
    expect(link.getAttribute('href')).toBe(`mailto:${siteContent.coaches[0]?.email}`)
  })
})
