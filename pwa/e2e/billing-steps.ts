import { type APIRequestContext, expect, type Page } from '@playwright/test'
import * as v from 'valibot'
import { CreateDelayedSubscriptionResponse, DelayedOffers } from '#shared/contract/reactivation.ts'
import { billingOf, type Person } from './people.ts'
import { createLapsedMember, createReactivationLink } from './reactivate-steps.ts'

export async function openBilling(page: Page): Promise<void> {
  await page.goto('/members?tab=billing')
  await expect(page.getByText(/ ending \d{4}/).first()).toBeVisible()
}

const inForm = { headers: { authorization: 'Bearer pk_test_sandbox' } }

/**
 * A member whose card was accepted at setup and declined at the first payment. They're logged in with `request`; `owner` is a
 * separate request context.
 */
export async function createOverdueMember(request: APIRequestContext, owner: APIRequestContext, person: Person) {
  await createLapsedMember(request, person)
  await expect.poll(async () => (await billingOf(request)).status).toBe('canceled')
  const link = await createReactivationLink(owner, person)
  const { searchParams } = new URL(link, 'http://localhost')
  const linkParams = Object.fromEntries(searchParams)
  const offers = await request.get('/api/delayed-subscription', { params: linkParams })
  const delayedBillingDate = v.parse(DelayedOffers, await offers.json()).standard?.date
  const data = { ...linkParams, tierSlug: 'standard', delayedBillingDate }
  const created = await request.post('/api/create-delayed-subscription', { data })
  expect(created.status()).toBe(200)
  const { clientSecret, subscriptionId } = v.parse(CreateDelayedSubscriptionResponse, await created.json())
  const saved = await request.post(`/sandbox/stripe/v1/setup_intents/${clientSecret.split('_secret_')[0]}/confirm`, {
    ...inForm,
    form: {
      client_secret: clientSecret,
      'payment_method_data[type]': 'card',
      'payment_method_data[card][number]': '4000000000000341',
      'payment_method_data[card][exp_month]': 12,
      'payment_method_data[card][exp_year]': new Date().getFullYear() + 2,
      'payment_method_data[card][cvc]': '123',
    },
  })
  expect(saved.status()).toBe(200)
  await expect.poll(async () => (await billingOf(request)).status).toBe('trialing')
  const ended = await request.post(
    `http://127.0.0.1:${process.env.E2E_SANDBOX_PORT}/v1/subscriptions/${subscriptionId}`,
    { headers: { authorization: 'Bearer sk_test_sandbox' }, form: { trial_end: 'now' } },
  )
  expect(ended.status()).toBe(200)
  await expect.poll(async () => (await billingOf(request)).status).toBe('past_due')
}
