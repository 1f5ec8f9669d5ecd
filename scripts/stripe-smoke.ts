import type Stripe from 'stripe'
import { createApp } from '#api/app.ts'
import { createContext } from '#api/context.ts'
import { openDatabase } from '#api/db/open.ts'
import { ensureTiers } from '#api/features/tiers/service.ts'
import { readSettings } from '#api/settings.ts'
import { smokeJoin, smokeOrder } from './smoke/purchases.ts'

// `npm run stripe:smoke`: joins, pays and cancels at the real Stripe in test mode, with an in-memory database.
const key = process.env.STRIPE_SECRET_KEY ?? ''

if (/^sk_test_(?!sandbox$)./.test(key)) await runSmoke()
else console.log('Skipped: this talks to Stripe itself. Set STRIPE_SECRET_KEY to a test key (sk_test_…) to run it.')

async function runSmoke(): Promise<void> {
  const settings = readSettings({
    STRIPE_SECRET_KEY: key,
    // The settings require both. They aren't used here.
    STRIPE_PUBLISHABLE_KEY: 'pk_test_unused',
    STRIPE_WEBHOOK_SECRET: 'whsec_unused',
    OWNER_EMAILS: 'owner@example.com',
  })
  const ctx = createContext({ settings, ...openDatabase(':memory:') })
  ensureTiers(ctx)
  const app = createApp(ctx)
  const report = (line: string) => console.log(`ok  ${line}`)
  // Our own responses don't say which request Stripe rejected.
  ctx.stripe.on('response', ({ status, method, path, request_id }: Stripe.ResponseEvent) => {
    if (status >= 400) console.error(`Stripe responded with ${status} to ${method} ${path} (${request_id})`)
  })
  try {
    await smokeJoin({ ctx, app, report })
    await smokeOrder({ ctx, app, report })
    console.log('Stripe does what is expected of it.')
  } catch (error) {
    console.error(`failed  ${error instanceof Error ? error.message : String(error)}`)
    process.exitCode = 1
  }
}
