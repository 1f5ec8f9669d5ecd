import { randomUUID } from 'node:crypto'
import { type APIRequestContext, expect } from '@playwright/test'
import * as v from 'valibot'
import { sandboxPassword } from '#data/seed/people.ts'
import { SessionUser } from '#shared/contract/auth.ts'
import { BillingSubscription, CreateSubscriptionResponse } from '#shared/contract/billing.ts'
import type { TierSlug } from '#shared/contract/tier.ts'

export const ownPassword = 'tape-and-level-42'

export type Person = { firstName: string; lastName: string; email: string }

export const newPerson = (firstName: string, lastName: string): Person => ({
  firstName,
  lastName,
  email: `${firstName}.${randomUUID().slice(0, 8)}@example.com`.toLowerCase(),
})

/** Begins a purchase over HTTP, as the payment step does; `request` then has the new account's session. */
export async function beginPurchase(request: APIRequestContext, person: Person, tierSlug: TierSlug = 'standard') {
  const { firstName, lastName, email } = person
  const data = { email, name: `${firstName} ${lastName}`, tierSlug }
  const response = await request.post('/api/create-subscription', { data })
  expect(response.status()).toBe(200)
  return v.parse(CreateSubscriptionResponse, await response.json())
}

/** A new member with a password, joined and paid over HTTP; a browser whose `context.request` this is, is logged in. */
export async function joinOverHttp(request: APIRequestContext, person: Person, tierSlug: TierSlug = 'standard') {
  const { clientSecret } = await beginPurchase(request, person, tierSlug)
  const paid = await request.post(`/sandbox/stripe/v1/payment_intents/${clientSecret.split('_secret_')[0]}/confirm`, {
    headers: { authorization: 'Bearer pk_test_sandbox' },
    form: {
      client_secret: clientSecret,
      'payment_method_data[type]': 'card',
      'payment_method_data[card][number]': '4242424242424242',
      'payment_method_data[card][exp_month]': 12,
      'payment_method_data[card][exp_year]': new Date().getFullYear() + 2,
      'payment_method_data[card][cvc]': '123',
    },
  })
  expect(paid.status()).toBe(200)
  await expect.poll(async () => (await billingOf(request)).status).toBe('active')
  const set = await request.post('/api/auth/set-password', { data: { newPassword: ownPassword } })
  expect(set.status()).toBe(200)
  return userOf(request)
}

/** Logs in over HTTP: with a browser's `context.request`, its pages are logged in too. */
export async function logInOverHttp(request: APIRequestContext, email: string, password = sandboxPassword) {
  const response = await request.post('/api/auth/login', { data: { email, password } })
  expect(response.status()).toBe(200)
}

export const userOf = async (request: APIRequestContext) =>
  v.parse(SessionUser, await (await request.get('/api/auth/user')).json())

export const billingOf = async (request: APIRequestContext) =>
  v.parse(BillingSubscription, await (await request.get('/api/billing/subscription')).json())
