import { describe, expect, test } from 'vitest'
import { withOwnCalendar } from '#api/features/calendar/setup-service.ts'
import { contentOf } from '#api/site/content.ts'
import { openCalendar } from '#api/testing/calendar.ts'
import { startWorld } from '#api/testing/world.ts'
import { createPageRenderer } from '#pwa/entry-server.tsx'
import { pageData } from '#pwa/testing/public-data.ts'
import { renderPage } from '#pwa/testing/rendered-page.ts'
import { SettingName } from '#shared/contract/site-settings.ts'

/** A firm's site outside the sandbox, with a test key or a live one. */
const atStripe = (mode: 'test' | 'live') => ({
  STRIPE_SECRET_KEY: `sk_${mode}_x`,
  STRIPE_PUBLISHABLE_KEY: `pk_${mode}_x`,
  STRIPE_WEBHOOK_SECRET: 'whsec_x',
  NODE_ENV: 'production',
  SESSION_SECRET: 'x'.repeat(32),
  PUBLIC_URL: 'https://a.example',
})

/** An address for everything that can have one. */
const everyAddress = Object.fromEntries(
  SettingName.options
    .filter((name) => /_URLS?$/.test(name))
    .map((name) => [
      name,
      name.endsWith('S') ? `https://${name}.test/1,https://${name}.test/2` : `https://${name}.test/`,
    ])
    .map(([name, value]) => [name, String(value).toLowerCase().replaceAll('_', '-')]),
)

function readSite(env: Record<string, string>, hasOwnCalendar: boolean) {
  const world = startWorld({ env })
  if (hasOwnCalendar) openCalendar(world)
  const { site, pages } = contentOf(world.ctx).read()
  return { site: withOwnCalendar(world.ctx, site), texts: pages }
}

const states = {
  'nothing set, with a test key': readSite(atStripe('test'), false),
  'nothing set, with a live key': readSite(atStripe('live'), false),
  'a calendar of its own alone': readSite(atStripe('live'), true),
  'everything set': readSite({ ...atStripe('test'), ...everyAddress }, true),
  'what the sandbox is installed with': readSite({}, false),
}

const paths = createPageRenderer(pageData)
  .routes.filter(({ path, isPublic }) => isPublic && !path.includes('$'))
  .map(({ path }) => path)

/** What only an owner should see. */
const unfinished = /not (yet )?(set up|configured|available)|no calendar yet|\bundefined\b|\bnull\b|\bNaN\b|\[object/i

/** Empty elements and dead links. A list's status line is empty until it has something to say. */
const dead = [
  /<(ul|ol|dl|h[1-6]|p|section|article)\b(?![^>]* role="status")[^>]*>\s*<\/\1>/,
  /<(a|button)\b(?![^>]* aria-label=")[^>]*>\s*<\/\1>/,
  /<button[^>]* disabled=""/,
  /href="(#|mailto:|tel:|)"/,
  /<(source|img|audio|video)\b[^>]* src=""/,
  /<iframe/,
]

describe.each(Object.entries(states))('with %s', (_, changes) => {
  test.each(paths)('%s reads whole: nothing is announced, dead or empty', async (path) => {
    const { html, text, anchors } = await renderPage(path, changes)
    expect(text).not.toMatch(unfinished)
    for (const pattern of dead) expect(html.match(pattern)?.[0]).toBeUndefined()
    expect(html.match(/<h1/g)).toHaveLength(1)
    for (const { href } of anchors.filter(({ href }) => href.startsWith('#')))
      expect([href, html.includes(`id="${href.slice(1)}"`)]).toEqual([href, true])
  })
})
