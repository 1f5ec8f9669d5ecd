import { type APIRequestContext, expect, type Page } from '@playwright/test'
import * as v from 'valibot'
import { ReactivationLink } from '#shared/contract/reactivation.ts'
import { addDays, londonDay } from '#shared/rules/london.ts'
import { cardForm } from './join-steps.ts'
import { joinOverHttp, logInOverHttp, type Person } from './people.ts'

export const day = (from: number) => addDays(londonDay(new Date()), from)

/** Creates the link as an owner; `owner` is a separate request context. */
export async function createReactivationLink(
  owner: APIRequestContext,
  { email, firstName }: Person,
  lastPayment?: string,
) {
  await logInOverHttp(owner, 'owner@alliance.test')
  const data = { email, name: firstName, ...(lastPayment ? { lastPayment } : {}) }
  const response = await owner.post('/api/admin/reactivation-links', { data })
  expect(response.status()).toBe(200)
  const { url } = v.parse(ReactivationLink, await response.json())
  return new URL(url).pathname + new URL(url).search
}

export async function openDelayed(page: Page, link: string, tier = 'Alliance') {
  await page.goto(link)
  await page.getByRole('button', { name: `Set Up Delayed Billing - ${tier}`, exact: true }).click()
  await expect(cardForm(page).getByLabel('Card number')).toBeVisible()
}

export const saveButton = (page: Page) => cardForm(page).getByRole('button', { name: /^SAVE PAYMENT METHOD/ })

const Customers = v.object({ data: v.array(v.object({ id: v.string() })) })
const Subscriptions = v.object({ data: v.array(v.object({ id: v.string() })) })

/** A former member whose subscription Stripe has ended. They're logged in with `request`. */
export async function createLapsedMember(request: APIRequestContext, person: Person) {
  await joinOverHttp(request, person)
  const provider = `http://127.0.0.1:${process.env.E2E_SANDBOX_PORT}/v1`
  const headers = { authorization: 'Bearer sk_test_sandbox' }
  const found = await request.get(`${provider}/customers`, { headers, params: { email: person.email } })
  const [customer] = v.parse(Customers, await found.json()).data
  const listed = await request.get(`${provider}/subscriptions`, { headers, params: { customer: customer?.id ?? '' } })
  for (const { id } of v.parse(Subscriptions, await listed.json()).data)
    expect((await request.delete(`${provider}/subscriptions/${id}`, { headers })).status()).toBe(200)
}
