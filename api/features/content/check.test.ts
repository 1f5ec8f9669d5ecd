import { expect, test } from 'vitest'
import { assertReadyForMoney } from '#api/server.ts'
import { readSettings } from '#api/settings.ts'
import { describeUnfinished, findUnfinished } from './check-service.ts'

const live = {
  ...{ NODE_ENV: 'production', PUBLIC_URL: 'https://bench.example', SESSION_SECRET: 'x'.repeat(40) },
  ...{ STRIPE_SECRET_KEY: 'sk_live_1', STRIPE_PUBLISHABLE_KEY: 'pk_live_1', STRIPE_WEBHOOK_SECRET: 'whsec_1' },
  ...{ SELLER_NAME: 'Bench Ltd', SELLER_ADDRESS: '1 Yard Lane, Leeds', SELLER_VAT_NUMBER: 'GB 123 4567 82' },
  MAIL_FROM: 'Bench <hello@bench.example>',
}

test('with a live key, sample contacts and blank particulars refuse the start, each with its file and line', () => {
  const settings = readSettings(live)
  const missing = findUnfinished(settings).filter(({ kind }) => kind !== 'claim')
  const start = () => assertReadyForMoney(settings)
  expect(missing.length).toBeGreaterThan(0)
  for (const entry of missing) expect(start).toThrow(describeUnfinished(entry))
  expect(start).toThrow(/data\/content\/site\.json, line \d+: firm\.number is blank/)
})

test('a test key starts with them; the sample sender and a seller that is not set are named by their options', () => {
  const settings = readSettings({})
  expect(() => assertReadyForMoney(settings)).not.toThrow()
  const options = findUnfinished(settings).filter(({ file }) => file === 'settings')
  expect(options.map(({ entry }) => entry)).toEqual(['SELLER_NAME', 'SELLER_ADDRESS', 'SELLER_VAT_NUMBER', 'MAIL_FROM'])
})
