import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { databaseFile } from '#api/db/data-dir.ts'
import { becomeMember } from '#api/testing/billing.ts'
import { countRows } from '#api/testing/joining.ts'
import { type PaymentWorld, startPaymentWorld } from '#api/testing/payments.ts'
import { type RunOptions, runCommand } from '#cli/testing/run-command.ts'
import { addDays, formatLongDate, londonDay } from '#shared/rules/london.ts'

let folder = ''
let world: PaymentWorld
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'alliance-tiers-'))
  world = await startPaymentWorld({ file: databaseFile(folder) })
  await becomeMember(world)
})
afterEach(async () => {
  await world.stop()
  world.ctx.sqlite.close()
  rmSync(folder, { recursive: true })
})

const run = (argv: string, options: RunOptions = {}) =>
  runCommand(argv.split(' '), {
    now: world.ctx.now,
    ...options,
    env: {
      DATA_DIR: folder,
      XDG_CONFIG_HOME: folder,
      PORT: '0',
      NO_COLOR: '1',
      SANDBOX_PORT: String(world.sandbox.port),
    },
  })

async function priceOf(slug: string) {
  const tiers: { slug: string; price: number }[] = JSON.parse((await run('tiers list --json')).out)
  return tiers.find((tier) => tier.slug === slug)?.price
}
const noticesSent = () => countRows(world, 'mail_outbox', `cause like 'price-move:%'`)

test('a tier’s new price is shown before it is set, holds for new members, and is told to who is moved', {
  tags: ['full'],
}, async () => {
  // We don't ask about a change that changes nothing.
  expect(await run('tiers move standard')).toMatchObject({ code: 0, err: '0 members of Alliance told.\n' })
  const [email] = JSON.parse((await run('members list --json email --search Sam')).out)
  const same = await run(`members tier ${email.email} standard`)
  expect(same).toMatchObject({ code: 0, err: expect.stringContaining('Paid until') })
  const dry = await run('tiers price set standard month 275 --move-members --dry-run')
  expect(dry).toMatchObject({ code: 0, out: expect.stringMatching(/Sam Field[\s\S]*£250\.00/) })
  expect([await priceOf('standard'), noticesSent()]).toEqual([25_000, 0])
  const unsure = await run('tiers price set standard month 275')
  expect(unsure).toMatchObject({ code: 2, err: expect.stringContaining('Use --yes to confirm.') })

  const set = await run('tiers price set standard month 275 --yes')
  expect(set).toMatchObject({
    code: 0,
    err: expect.stringContaining('costs £275.00 + VAT a month for new members. 0 members told.'),
  })
  expect([await priceOf('standard'), noticesSent()]).toEqual([27_500, 0])
  const moved = await run('tiers price set standard month 275 --move-members --yes')
  expect(moved).toMatchObject({ code: 0, err: expect.stringContaining('1 member told.') })
  expect(noticesSent()).toBe(1)
  for (const wrong of ['0', 'ten', '275 --from'])
    expect((await run(`tiers price set standard month ${wrong}`)).code).toBe(2)
  expect(await run('tiers set standard --price 275')).toMatchObject({
    code: 2,
    err: expect.stringContaining('That’s: alliance tiers price set standard month POUNDS'),
  })
})

test('a price from a day is shown first, waits in the list, is replaced and is taken back', {
  tags: ['full'],
}, async () => {
  const day = (days: number) => addDays(londonDay(world.ctx.now()), days)
  const [soon, later] = [day(30), day(60)]
  const set = (more: string) => run(`tiers price set standard month ${more}`)
  const dry = await set(`350 --from ${soon} --dry-run`)
  expect(dry.out).toMatch(new RegExp(`From +${formatLongDate(soon)}[\\s\\S]*Sam Field[\\s\\S]*once it’s started`))
  expect(await set(`350 --from ${soon}`)).toMatchObject({ code: 2, err: expect.stringContaining('Use --yes') })
  expect(await set(`350 --from ${soon} --yes`)).toMatchObject({
    code: 0,
    err: expect.stringContaining(`costs £350.00 + VAT a month for new members from ${formatLongDate(soon)}.`),
  })
  expect(await priceOf('standard')).toBe(25_000)
  expect((await run('tiers list')).out).toContain(`£350.00 + VAT a month from ${formatLongDate(soon)}`)
  const replacing = await set(`360 --from ${later} --dry-run`)
  expect(replacing.out).toContain(`This replaces £350.00 + VAT a month from ${formatLongDate(soon)}.`)
  expect((await set(`360 --from ${later} --yes`)).code).toBe(0)
  expect(await run('tiers cancel-price standard')).toMatchObject({ code: 2 })
  expect((await run('tiers cancel-price standard --dry-run')).out).toContain('£360.00 + VAT a month from')
  expect(await run('tiers cancel-price standard --yes')).toMatchObject({
    code: 0,
    err: expect.stringContaining('Alliance stays at £250.00 + VAT a month.'),
  })
  expect(await run('tiers cancel-price standard')).toMatchObject({ code: 3, err: 'Alliance has no price waiting.\n' })
  for (const wrong of [`--from ${soon}`, '350 --from soon', `350 --from ${soon} --move-members`])
    expect((await set(wrong)).code).toBe(2)
  const today = await set(`350 --from ${day(0)} --yes`)
  expect(today).toMatchObject({ code: 2, err: expect.stringContaining('Choose a day after today.') })
})

test('a price’s plan says what looks like a slip, and which sentences of the site aren’t true then', async () => {
  const dear = await run('tiers price set standard year 4000 --dry-run')
  expect(dear.err).toContain('A year costs more than 12 months.')
  expect(dear.out).toMatch(/No longer true +“[^”]*by the month/)
  expect((await run('tiers price set standard month 260 --dry-run')).out).not.toContain('No longer true')
  expect((await run('tiers price set standard year 4000 --yes')).code).toBe(0)
  expect((await run('tiers price stop standard year --dry-run')).out).not.toContain('No longer true')
  expect((await run('tiers price stop standard month --dry-run')).out).toMatch(/No longer true +“[^”]*by the month/)
})

const listed = async () => {
  const tiers: { slug: string; isActive: boolean; prices: { every: string; net: number; isOffered: boolean }[] }[] =
    JSON.parse((await run('tiers list --json')).out)
  return tiers
}
const texts = '--name Crew --description Firms --feature Videos'

test('a tier is added with its prices, put in order, retired and restored; one that was never sold is deleted', async () => {
  expect((await run(`tiers add crew ${texts}`)).err).toContain('Give a price: --monthly, --yearly or both.')
  for (const [price, says] of [
    ['0', 'Enter at least £1.'],
    ['0.005', '--monthly takes pounds'],
    ['12,50', '--monthly takes pounds'],
    ['10000000', '--monthly takes up to £10,000 a month.'],
  ])
    expect((await run(`tiers add crew ${texts} --monthly ${price}`)).err).toContain(says)
  const dry = await run(`tiers add crew ${texts} --monthly 199 --yearly 1990 --videos-like lite --dry-run`)
  expect(dry).toMatchObject({
    code: 0,
    out: expect.stringMatching(/£199\.00 \+ VAT a month[\s\S]*£1,990\.00 \+ VAT a year/),
    err: expect.stringContaining('Anyone with an older version of the site open won’t see it'),
  })
  expect((await run(`tiers add crew ${texts} --monthly 199 --not-shown --dry-run`)).err).not.toContain('older version')
  const slip = await run(`tiers add crew ${texts} --monthly 199 --yearly 50 --retired --dry-run`)
  expect(slip.err).toContain('A year costs less than a month.')
  expect((await listed()).map(({ slug }) => slug)).toEqual(['lite', 'standard', 'xl', 'mastermind'])

  const added = await run(`tiers add crew ${texts} --monthly 199 --yearly 1990 --videos-like lite --yes`)
  expect(added).toMatchObject({ code: 0, err: expect.stringContaining('Crew is on sale.') })
  expect(await run(`tiers add crew ${texts} --monthly 199 --yes`)).toMatchObject({ code: 2 })
  expect((await run(`tiers add more ${texts} --monthly 199 --dry-run`)).err).not.toContain('older version')
  expect((await listed()).at(-1)).toMatchObject({
    slug: 'crew',
    prices: [
      { every: 'month', net: 19_900 },
      { every: 'year', net: 199_000 },
    ],
  })
  expect(await run('tiers order crew lite standard xl mastermind')).toMatchObject({ code: 0 })
  expect((await listed())[0]?.slug).toBe('crew')
  for (const [slugs, says] of [
    ['crew lite', 'Name every tier. Left out: standard, xl, mastermind.\n'],
    ['crew lite standard xl mastermind lite', 'Name each tier once.\n'],
  ])
    expect(await run(`tiers order ${slugs}`)).toMatchObject({ code: 2, err: says })
  expect(await run('tiers order gold')).toMatchObject({ code: 3 })
  expect(await run('tiers restore standard')).toMatchObject({ code: 0, err: 'Alliance is already on sale.\n' })
  expect((await run('tiers restore standard --dry-run')).out).toContain('no change: it’s on sale')
  expect(await run('tiers default standard')).toMatchObject({ code: 0, err: 'Alliance is already the default tier.\n' })

  expect(await run('tiers retire standard --yes')).toMatchObject({ code: 1 })
  expect(await run('tiers retire crew --yes')).toMatchObject({
    code: 0,
    err: 'Crew is off sale. Its members keep it.\n',
  })
  expect((await run('tiers list')).out).toMatch(/crew .*retired/)
  expect(await run('tiers restore crew --yes')).toMatchObject({ code: 0 })
  expect(await run('tiers delete standard --yes')).toMatchObject({ code: 1 })
  expect(await run('tiers delete crew --yes')).toMatchObject({ code: 0, err: 'Crew is deleted.\n' })
  expect((await run(`tiers add crew ${texts} --monthly 199 --yes`)).err).toContain(
    'A tier already has this short name, or used to.',
  )
})

test('what a change of a tier does is in its plan and said once it’s done, and its members are named', async () => {
  const dry = await run('tiers set standard --off by-invitation --on community --badge Bench --calls 2 --dry-run')
  expect(dry).toMatchObject({
    code: 0,
    out: expect.stringMatching(/1 member pays £250\.00 \+ VAT a month: Sam Field\./),
  })
  expect(dry.out).toMatch(/Its badge is “Bench”\.[\s\S]*1 member has 2 calls a month of 30 minutes instead of 1 call/)
  expect(await run('tiers set standard --badge Bench')).toMatchObject({
    code: 0,
    err: 'Alliance is on the site now.\nIts badge is “Bench”.\n',
  })
  expect(await run('tiers set xl --off cards')).toMatchObject({
    code: 0,
    err: expect.stringContaining('Its card comes off Home, Coaching, Membership tiers'),
  })
  expect((await run('tiers list')).out).toMatch(/xl .*by invitation only/)
  for (const [wrong, says] of [
    ['--off cards', 'This is the default tier.'],
    ['--off mastermind', 'Name one of these: cards'],
    ['--calls many', '--calls: Enter up to 31 calls a month.'],
    [`--description ${'a'.repeat(121)}`, '--description: Use up to 120 characters.'],
    ['', 'Say what to change'],
  ])
    expect([wrong, (await run(`tiers set standard ${wrong}`.trim())).err]).toEqual([
      wrong,
      expect.stringContaining(says ?? ''),
    ])
  const retiring = await run('tiers retire xl --dry-run')
  expect(retiring.out).toContain('No one’s on it.')
})

test('a price a year is set beside the month’s, and stopped; the last one can’t be', async () => {
  const dear = await run('tiers price set standard year 3100')
  expect(dear).toMatchObject({ code: 2, err: expect.stringContaining('Use --yes to confirm.') })
  expect(await run('tiers price set standard year 2500 --yes')).toMatchObject({
    code: 0,
    err: 'Alliance costs £2,500.00 + VAT a year for new members. 0 members told.\n',
  })
  expect((await run('tiers list')).out).toMatch(/standard .*£250\.00 +£2,500\.00/)
  expect((await run('tiers price set standard week 2500 --yes')).err).toContain('Choose month or year.')
  expect(await run('tiers price set standard month 10,000,000 --yes')).toMatchObject({
    code: 2,
    err: 'A price takes up to £10,000 a month.\n',
  })
  const day = addDays(londonDay(world.ctx.now()), 30)
  expect((await run(`tiers price set standard year 2600 --from ${day} --yes`)).code).toBe(0)
  expect(await run('tiers cancel-price standard --yes')).toMatchObject({ code: 3 })
  expect(await run('tiers cancel-price standard year --yes')).toMatchObject({
    code: 0,
    err: 'Cancelled. Alliance stays at £2,500.00 + VAT a year.\n',
  })
  expect(await run('tiers move standard year')).toMatchObject({ code: 0, err: '0 members of Alliance told.\n' })
  expect(await run('tiers price stop standard year --yes')).toMatchObject({ code: 0 })
  expect(await run('tiers price stop standard month --yes')).toMatchObject({ code: 1 })
})
