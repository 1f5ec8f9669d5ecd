import { expect, onTestFinished, test } from 'vitest'
import { startPaymentWorld } from '#api/testing/payments.ts'
import { createWebhookEndpoint, hasWebhookEndpoint } from './webhook-endpoints.ts'

test('an endpoint is found by its whole address', { tags: ['full'] }, async () => {
  const { ctx, stop } = await startPaymentWorld()
  onTestFinished(stop)
  const url = 'https://club.example/api/stripe/webhook'
  expect(await hasWebhookEndpoint(ctx, url)).toBe(false)
  expect(await createWebhookEndpoint(ctx, url)).toMatch(/^whsec_/)
  const addresses = [url, `${url}/2`, 'https://club.example/api/stripe']
  expect(await Promise.all(addresses.map((one) => hasWebhookEndpoint(ctx, one)))).toEqual([true, false, false])
})
