import { fireEvent, screen, within } from '@testing-library/react'
import type { ReactNode } from 'react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { tiersQuery } from '#pwa/lib/tiers-query.ts'
import { tiers } from '#pwa/testing/public-data.ts'
import { renderInApp } from '#pwa/testing/render-in-app.tsx'
import { withVat } from '#shared/rules/money.ts'
import { takeSelectedTier } from './selected-tier-storage.ts'
import { TierChooser } from './tier-chooser.tsx'
import { type TiersState, useTiers } from './use-tiers.ts'

const ready: TiersState = { tiers, isLoading: false, retry: () => {} }

const LoadingChooser = () => <TierChooser state={useTiers()} />

function show(chooser: ReactNode) {
  const { queryClient, router } = renderInApp(chooser)
  return { queryClient, navigate: vi.spyOn(router, 'navigate') }
}

beforeEach(() => window.localStorage.clear())

test('TIER-14 three blank cards while the tiers load', () => {
  show(<TierChooser state={{ tiers: [], isLoading: true, retry: () => {} }} />)
  expect(screen.getAllByTestId('tier-skeleton')).toHaveLength(3)
})

test('TIER-16 a failure to load is logged and shows the same', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  vi.spyOn(globalThis, 'fetch').mockRejectedValue(new TypeError('no signal'))
  const { queryClient } = show(<LoadingChooser />)
  expect(await screen.findByText('No membership tiers available at the moment.')).toBeTruthy()
  expect(warn.mock.calls[0]?.[0]).toContain('tiers could not be loaded')
  vi.mocked(fetch).mockResolvedValue(Response.json({ success: true, tiers }))
  fireEvent.click(screen.getByRole('button', { name: 'Retry' }))
  expect(await screen.findByText('Alliance Lite')).toBeTruthy()
  expect(queryClient.getQueryData(tiersQuery.queryKey)).toEqual(tiers)
  vi.restoreAllMocks()
})

test('TIER-11 TIER-12 the card and its button both select, once each, by the handler of the page', () => {
  const onSelect = vi.fn()
  show(<TierChooser state={ready} onSelect={onSelect} />)
  fireEvent.click(screen.getByRole('button', { name: 'JOIN ALLIANCE' }))
  fireEvent.click(screen.getByText('Alliance Lite'))
  expect(onSelect.mock.calls).toEqual([
    [tiers[1], tiers[1]?.prices[0]],
    [tiers[0], tiers[0]?.prices[0]],
  ])
  expect(window.localStorage.getItem('selectedTier')).toBeNull()
})

test('TIER-02 TIER-13 without a handler the whole tier is stored and the join page opens', () => {
  const { navigate } = show(<TierChooser state={ready} />)
  fireEvent.click(screen.getByRole('button', { name: 'JOIN ALLIANCE LITE' }))
  expect(JSON.parse(window.localStorage.getItem('selectedTier') ?? '')).toEqual(tiers[0])
  expect(navigate.mock.calls[0]?.[0]).toMatchObject({ to: '/membership-application' })
  expect(takeSelectedTier()).toEqual(tiers[0])
  expect(takeSelectedTier()).toBeNull()
})

test('TIER-17 TIER-18 TIER-19 TIER-20 TIER-25 badges, words of the buttons, and the chosen one', () => {
  const onSelect = vi.fn()
  show(<TierChooser state={ready} onSelect={onSelect} selected={{ slug: 'standard' }} />)
  const [lite, standard, xl] = screen.getAllByRole('article')
  if (!lite || !standard || !xl) throw new Error('There are not three cards')
  expect(within(standard).getByText('Most Popular')).toBeTruthy()
  expect(within(standard).getByRole('button').textContent).toBe('SELECTED')
  expect(within(xl).getByText('INVITE ONLY')).toBeTruthy()
  const invite = within(xl).getByRole('button')
  expect(invite.textContent).toBe('CONTACT FOR INVITATION (Invite only)')
  fireEvent.click(invite)
  expect(onSelect).toHaveBeenCalledWith(tiers[2], tiers[2]?.prices[0])
  expect(within(lite).queryByText('Most Popular')).toBeNull()
})

test('TIER-21 TIER-22 prices in whole pounds, pairs of ** in bold', () => {
  const odd = tiers.slice(0, 1).map((tier) => ({
    ...tier,
    prices: tier.prices.map((price) => ({ ...price, net: 14_700 })),
    features: ['**Videos** and more', 'one ** alone'],
  }))
  show(<TierChooser state={{ ...ready, tiers: odd }} />)
  expect(screen.getByRole('article').textContent).toContain('£147 + VAT/month')
  expect(screen.getByText('Videos').tagName).toBe('B')
  expect(screen.getByText('one ** alone')).toBeTruthy()
})

describe('by the year', () => {
  const yearly = (net: number) => ({ id: `year-${net}`, every: 'year' as const, ...withVat(net) })
  const [lite, standard, xl] = tiers
  if (!lite || !standard || !xl) throw new Error('There are not three tiers')
  const mixed = [
    lite,
    { ...standard, prices: [...standard.prices, yearly(250_000)] },
    { ...xl, prices: [yearly(480_000)] },
  ]

  test('one switch shows all cards by the year; the saving is said in money, and what has no year keeps its month', () => {
    show(<TierChooser state={{ ...ready, tiers: mixed }} />)
    const texts = () => screen.getAllByRole('article').map(({ textContent }) => textContent)
    expect(texts()[1]).toContain('£250 + VAT/monthor £2,500 + VAT a year: two months free')
    fireEvent.click(screen.getByRole('radio', { name: 'By the year' }))
    expect(texts()[0]).toContain('+ VAT/month')
    expect(texts()[1]).toContain('£2,500 + VAT/yearTwo months free, or £250 + VAT a month')
    expect(texts()[2]).toContain('£4,800 + VAT/yearThat’s £400 + VAT a month')
    expect(texts()[2]).not.toContain('/month')
  })

  test('the chosen price is stored beside the tier', () => {
    show(<TierChooser state={{ ...ready, tiers: mixed }} />)
    fireEvent.click(screen.getByRole('radio', { name: 'By the year' }))
    fireEvent.click(screen.getByRole('button', { name: 'JOIN ALLIANCE' }))
    expect(takeSelectedTier()).toEqual({ ...mixed[1], priceId: 'year-250000' })
  })
})
