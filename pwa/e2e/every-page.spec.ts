import { SettingName } from '#shared/contract/site-settings.ts'
import { desktop, expect, test } from './fixtures.ts'
import { startOwnServer } from './own-server.ts'
import { publicPaths } from './public-pages.ts'
import { expectSound } from './sound.ts'

test.use(desktop)

const atStripe = {
  STRIPE_SECRET_KEY: 'sk_test_x',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_x',
  STRIPE_WEBHOOK_SECRET: 'whsec_x',
  NODE_ENV: 'production',
  SESSION_SECRET: 'x'.repeat(32),
}

const everyAddress = Object.fromEntries(
  SettingName.options
    .filter((name) => /_URLS?$/.test(name))
    .map((name) => {
      const host = `https://${name.toLowerCase().replaceAll('_', '-')}.test`
      return [name, name.endsWith('S') ? `${host}/1,${host}/2` : `${host}/`]
    }),
)

const states = {
  'nothing set, outside the sandbox': atStripe,
  'everything set': { ...atStripe, ...everyAddress },
  'all as installed': {},
}

/** What only an owner should see. */
const unfinished = /not (yet )?(set up|configured|available)|no calendar yet|\bundefined\b|\bNaN\b|\[object/i

for (const [state, env] of Object.entries(states))
  test(`NAV-09 with ${state}, every public page reads whole and is sound`, { tag: '@full' }, async ({ page }) => {
    test.slow()
    const server = await startOwnServer(env)
    try {
      const posts = state === 'all as installed' ? [] : ['/blog/pricing-a-job-properly']
      for (const path of publicPaths.filter((one) => !posts.includes(one)))
        await test.step(path, async () => {
          const response = await page.goto(server.url + path)
          expect.soft([path, response?.status()]).toEqual([path, 200])
          await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1)
          expect
            .soft([path, unfinished.exec((await page.getByRole('main').textContent()) ?? '')?.[0]])
            .toEqual([path, undefined])
          for (const link of await page.locator('a[href=""], a[href="#"], button:disabled').all())
            expect.soft([path, await link.textContent()]).toEqual([path, 'a link or button that leads somewhere'])
          await expectSound(page, `${path} with ${state}`)
        })
    } finally {
      await server.stop()
    }
  })
