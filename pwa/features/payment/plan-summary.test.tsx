import { cleanup, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { SiteContentProvider } from '#pwa/lib/site-content.tsx'
import { siteContent } from '#pwa/testing/public-data.ts'
import { renderInApp } from '#pwa/testing/render-in-app.tsx'
import { withVat } from '#shared/rules/money.ts'
import { PlanSummary } from './plan-summary.tsx'

afterEach(cleanup)

const summary = <PlanSummary plan={{ name: 'Alliance', features: [] }} price={withVat(25_000)} after={[]} />

test('where consumers may join, they read of their 14 days before they pay; elsewhere nobody does', async () => {
  renderInApp(summary)
  await screen.findByText(siteContent.prices.terms)
  expect(screen.queryByText(/consumer/)).toBeNull()
  cleanup()
  renderInApp(<SiteContentProvider content={{ ...siteContent, sellsToConsumers: true }}>{summary}</SiteContentProvider>)
  await screen.findByText(/As a consumer you’ve got 14 days to cancel, no reason needed/)
  expect(screen.getByRole('link', { name: 'how it works' }).getAttribute('href')).toBe('/cancellation')
})
