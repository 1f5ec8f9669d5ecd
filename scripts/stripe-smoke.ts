import type Stripe from 'stripe'
import { createApp } from '#api/app.ts'
import { createContext } from '#api/context.ts'
import { openDatabase } from '#api/db/open.ts'
import { ensureTiers } from '#api/features/tiers/service.ts'
import { readSettings } from '#api/settings.ts'
import { smokeJoin, smokeOrder } from './smoke/purchases.ts'

// Joins, pays and cancels at Stripe itself, in test mode, with a database that is thrown away: `npm run stripe:smoke`.
const key = process.env.STRIPE_SECRET_KEY ?? ''

if (/^sk_test_(?!sandbox$)./.test(key)) await run()
else console.log('Skipped: this talks to Stripe itself. Set STRIPE_SECRET_KEY to a test key (sk_test_…) to run it.')

async function run(): Promise<void> {
  const settings = readSettings({
    STRIPE_SECRET_KEY: key,
    // The server insists on both; nothing here uses them.
    STRIPE_PUBLISHABLE_KEY: 'pk_test_unused',
    STRIPE_WEBHOOK_SECRET: 'whsec_unused',
    OWNER_EMAILS: 'owner@example.com',
  })
  const ctx = createContext({ settings, ...openDatabase(':memory:') })
  ensureTiers(ctx)
  const app = createApp(ctx)
  const say = (line: string) => console.log(`ok  ${line}`)
  // Our own answers say nothing of a request that Stripe refused.
  ctx.stripe.on('response', ({ status, method, path, request_id }: Stripe.ResponseEvent) => {
    if (status >= 400) console.error(`Stripe answered ${status} to ${method} ${path} (${request_id})`)
  })
  try {
    await smokeJoin({ ctx, app, say })
    await smokeOrder({ ctx, app, say })
    console.log('Stripe does what is expected of it.')
  } catch (error) {
    console.error(`failed  ${error instanceof Error ? error.message : String(error)}`)
    process.exitCode = 1
  }
}
