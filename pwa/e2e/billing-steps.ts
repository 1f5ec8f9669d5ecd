import { type APIRequestContext, expect, type Page } from '@playwright/test'
import * as v from 'valibot'
import { CreateDelayedSubscriptionResponse, DelayedOffers } from '#shared/contract/reactivation.ts'
import { cardForm } from './join-steps.ts'
import { billingOf, type Person } from './people.ts'
import { lapsedMember, linkFor } from './reactivate-steps.ts'

/** The Billing tab, once it has heard from the server. */
export async function openBilling(page: Page): Promise<void> {
  await page.goto('/members?tab=billing')
  await expect(page.getByText(/ ending \d{4}/).first()).toBeVisible()
}

/** The billing address and the consent of a card form. */
export async function fillPayer(page: Page, consent: RegExp): Promise<void> {
  const form = cardForm(page)
  await form.getByLabel('Address', { exact: true }).fill('12 Joist Lane')
  await form.getByLabel('Town').fill('Leeds')
  await form.getByLabel('Postcode').fill('LS1 4AP')
  await form.getByLabel(consent).check()
}

const inForm = { headers: { authorization: 'Bearer pk_test_sandbox' } }

/**
 * Somebody whose card went through when it was set up, and failed at the payment after. Logged in with `request`; `owner` is
 * a request context of its own.
 */
export async function overdueMember(request: APIRequestContext, owner: APIRequestContext, person: Person) {
  await lapsedMember(request, person)
  await expect.poll(async () => (await billingOf(request)).status).toBe('canceled')
  const link = await linkFor(owner, person)
  const { searchParams } = new URL(link, 'http://localhost')
  const carried = Object.fromEntries(searchParams)
  const offers = await request.get('/api/delayed-subscription', { params: carried })
  const delayedBillingDate = v.parse(DelayedOffers, await offers.json()).standard?.date
  const data = { ...carried, tierSlug: 'standard', delayedBillingDate }
  const begun = await request.post('/api/create-delayed-subscription', { data })
  expect(begun.status()).toBe(200)
  const { clientSecret, subscriptionId } = v.parse(CreateDelayedSubscriptionResponse, await begun.json())
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
