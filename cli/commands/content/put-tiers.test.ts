import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { databaseFile } from '#api/db/data-dir.ts'
import { type PaymentWorld, startPaymentWorld } from '#api/testing/payments.ts'
import { runCommand } from '#cli/testing/run-command.ts'
import type { AdminTier } from '#shared/contract/admin-tier.ts'
import type { SiteCopy } from '#shared/contract/site-copy.ts'
import { addDays, londonDay } from '#shared/rules/london.ts'

type Site = { world: PaymentWorld; folder: string }

let folder: string
let full: Site
let empty: Site
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'alliance-tiers-copy-'))
  const start = async (name: string) => {
    const own = mkdtempSync(join(folder, name))
    return { folder: own, world: await startPaymentWorld({ file: databaseFile(own) }) }
  }
  full = await start('full')
  empty = await start('empty')
})
afterEach(async () => {
  for (const { world } of [full, empty]) {
    await world.stop()
    world.ctx.sqlite.close()
  }
  rmSync(folder, { recursive: true })
})

const run = ({ world, folder: own }: Site, argv: string | string[]) =>
  runCommand(typeof argv === 'string' ? argv.split(' ') : argv, {
    now: world.ctx.now,
    env: {
      DATA_DIR: own,
      XDG_CONFIG_HOME: own,
      PORT: '0',
      NO_COLOR: '1',
      SANDBOX_PORT: String(world.sandbox.port),
    },
  })

async function done(site: Site, argv: string | string[]): Promise<void> {
  expect(await run(site, argv)).toEqual({ code: 0, out: expect.any(String), err: expect.any(String) })
}

/** As `tiers list --json` has them, without what belongs to a site: ids, times, how often a tier was changed and who pays. */
async function tiersOf(site: Site): Promise<unknown[]> {
  const tiers: AdminTier[] = JSON.parse((await run(site, 'tiers list --json')).out)
  const own = new Set(['id', 'version', 'updatedAt', 'createdAt', 'stripePriceId', 'stripeProductId'])
  return JSON.parse(JSON.stringify(tiers, (name, value) => (own.has(name) ? undefined : value)))
}

const file = () => join(folder, 'site.json')
const copyIn = (): SiteCopy => JSON.parse(readFileSync(file(), 'utf8'))

/** Two tiers on sale, one by the year too, and Mastermind by invitation. */
async function makeItTheirs(site: Site): Promise<void> {
  const owner = site.world.signIn(site.world.addOwner())
  const add = 'tiers add crew --description Firms --feature Videos --monthly 199 --yearly 1990 --name'.split(' ')
  await done(site, [...add, 'Crew', '--yes'])
  const tiers: AdminTier[] = await (await owner('/api/admin/tiers')).json()
  const version = tiers.find(({ slug }) => slug === 'crew')?.version
  const properties = { badge: 'New', cardColour: 'dark', hasWhatsApp: true, rejoinsLater: false, isPreselected: true }
  const changed = { method: 'PATCH', body: { version, callDuration: 45, callsPerMonth: 2, ...properties } } as const
  expect((await owner('/api/admin/tiers/crew', changed)).status).toBe(200)
  await done(site, 'tiers default crew --yes')
  await done(site, 'tiers retire standard --yes')
  await done(site, 'tiers retire xl --yes')
  await done(site, 'tiers restore mastermind --yes')
  await done(site, 'tiers price set mastermind year 9970 --yes')
  await done(site, 'tiers price stop mastermind month --yes')
  await done(site, `tiers price set crew year 2190 --from ${addDays(londonDay(new Date()), 20)} --yes`)
  await done(site, 'tiers set lite --name Bench-Lite --description Videos --feature One')
  await done(site, 'tiers price set lite month 95 --yes')
}

test('tiers, their properties, both prices and their order are the same on a site they’re put into, and a second time nothing changes', {
  tags: ['full'],
}, async () => {
  await makeItTheirs(full)
  // A name that another tier has on the other site, until its own turn.
  await done(full, 'tiers set standard --name Old')
  await done(full, 'tiers set lite --name Alliance')
  await done(full, 'tiers order mastermind crew lite standard xl')
  await done(full, `content export ${file()}`)
  const shown = await run(empty, `content import ${file()} --dry-run`)
  expect(shown.err).toContain('Crew is new: £199.00 + VAT a month, £1,990.00 + VAT a year, £2,190.00 from')
  expect(shown.err).toContain('Alliance Lite: name: Alliance Lite → Alliance;')
  expect(shown.err).toContain('The order changes to the file’s: Alliance Mastermind, Crew, Alliance, Old, Alliance XL.')
  expect(shown.err).toMatch(/Alliance Mastermind: .*– → £9,970\.00 \+ VAT a year/)
  expect(await run(empty, `content import ${file()} --yes`)).toMatchObject({ code: 0, err: '' })
  expect(await tiersOf(empty)).toEqual(await tiersOf(full))
  const again = await run(empty, `content import ${file()} --dry-run`)
  expect(again.err).toBe('Dry run: nothing was changed.\n')
  expect(await run(empty, `content import ${file()} --yes`)).toMatchObject({ code: 0, err: '' })
  expect(await tiersOf(empty)).toEqual(await tiersOf(full))
})

test('an older copy has texts and the month’s price; a tier it doesn’t name stays', { tags: ['full'] }, async () => {
  await makeItTheirs(empty)
  const before = await tiersOf(empty)
  await done(full, 'tiers set lite --name Bench --feature One')
  await done(full, 'tiers price set lite month 85 --yes')
  await done(full, `content export ${file()}`)
  const old = copyIn().tiers.flatMap(({ slug, name, description, features, price }) =>
    slug === 'lite' ? [{ slug, name, description, features, price, visibility: 'open' }] : [],
  )
  const made = { slug: 'gold', name: 'Gold', description: 'Firms', features: ['Videos'], price: 30_000 }
  const tiers = [...old, { ...made, visibility: 'invitation' }]
  writeFileSync(file(), JSON.stringify({ ...copyIn(), tiers }))
  const shown = await run(empty, `content import ${file()} --dry-run`)
  expect(shown.err).toContain('Crew isn’t in the file, so it stays as it is.')
  expect(await run(empty, `content import ${file()} --yes`)).toMatchObject({ code: 0, err: '' })
  const after = await tiersOf(empty)
  expect(after).toHaveLength(before.length + 1)
  expect(after.slice(1, -1)).toEqual(before.slice(1))
  expect(after[0]).toMatchObject({ slug: 'lite', name: 'Bench', price: 8_500 })
  expect(after.at(-1)).toMatchObject({ slug: 'gold', isByInvitation: true, isActive: true, price: 30_000 })
})

test('what couldn’t be typed of a tier is named, and the others come in', { tags: ['full'] }, async () => {
  await makeItTheirs(full)
  await done(full, `content export ${file()}`)
  const copy = copyIn()
  const crew = copy.tiers.find(({ slug }) => slug === 'crew')
  const priced = (slug: string, net: number, every = 'month') => ({
    ...crew,
    slug,
    name: slug,
    isDefault: false,
    prices: [{ every, net, isOffered: true, nextPrice: null }],
  })
  const odd = [priced('free', 0), priced('dear', 2_000_000), priced('huge', 1e9), { ...priced('owner', 9_900) }]
  const tiers = [...odd, { ...priced('long', 9_900), name: 'n'.repeat(200) }, ...copy.tiers]
  writeFileSync(file(), JSON.stringify({ ...copy, tiers }))
  const { code, out } = await run(empty, `content import ${file()} --yes --json`)
  const skipped: { what: string; why: string }[] = JSON.parse(out).skipped
  expect(code).toBe(1)
  expect(skipped.map(({ why }) => why)).toEqual([
    expect.stringContaining('Enter at least £1.'),
    expect.stringContaining('Check the price.'),
    expect.stringContaining('Check the price.'),
    expect.stringContaining('Choose another short name.'),
    expect.stringContaining('60'),
  ])
  expect(await tiersOf(empty)).toEqual(await tiersOf(full))
})
