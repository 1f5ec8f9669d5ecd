import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { databaseFile } from '#api/db/data-dir.ts'
import { tierNames } from '#api/features/tiers/service.ts'
import { sellElsewhere } from '#api/testing/adopting.ts'
import { countRows } from '#api/testing/joining.ts'
import { type PaymentWorld, startPaymentWorld } from '#api/testing/payments.ts'
import { type RunOptions, runCommand } from '#cli/testing/run-command.ts'
import { switchOffSteps } from '#shared/rules/adoption-texts.ts'

let folder = ''
let world: PaymentWorld
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'alliance-adopt-'))
  world = await startPaymentWorld({ file: databaseFile(folder) })
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

test('a Stripe account is shown as a plan, asked about, taken over once, and let go again', async () => {
  const kim = await sellElsewhere(world, { amount: 30_000 })
  const lee = await sellElsewhere(world, { email: 'lee@example.com', amount: 4999 })
  const cheap = lee.items.data[0]?.price.id ?? ''
  const paused = await sellElsewhere(world, { email: 'pat@example.com' })
  await world.ctx.stripe.subscriptions.update(paused.id, { pause_collection: { behavior: 'void' } })
  world.addUser({ email: 'kim@example.com' })

  const plan = await run('import stripe --dry-run')
  expect(plan).toMatchObject({ code: 0, err: 'Dry run: nothing was changed.\n' })
  expect(plan.out).toMatch(/1 +Is paused\. Resume it in Stripe, then read again\./)
  expect(plan.out).toMatch(/Choose a tier +The Club · £49\.99 a month · 1 subscription · You keep £41\.66 of £49\.99\./)
  expect(plan.out).toMatch(
    /standard +The Club · £300\.00 a month · 1 subscription · .* · Our guess by the price: check it/,
  )
  const name = tierNames(world.ctx)('standard')
  const whose = `kim@example.com · ${kim.id} (£300.00 a month) becomes ${name}. They have an account here. You keep £250.00 of £300.00.`
  expect(plan.out.replace(/\s+/g, ' ')).toContain(whose)
  const csv = (await run('import stripe --dry-run --csv')).out
  expect([csv.includes(whose), /pat@example\.com · sub_\w+ \(£300\.00 a month\) is paused/.test(csv)]).toEqual([
    true,
    true,
  ])
  for (const step of switchOffSteps) expect(plan.out).toContain(step.split(':')[0])
  expect(await run('import stripe --tier gold')).toMatchObject({ code: 2 })
  expect(await run('import stripe --tier price_nobody=xl --yes')).toMatchObject({
    code: 1,
    err: expect.stringContaining('No subscription has the price price_nobody.'),
  })
  expect(countRows(world, 'customers')).toBe(0)

  const line = `import stripe --tier ${cheap}=lite`
  expect((await run(line)).err).toContain('Adopt 2 subscriptions? Use --yes to confirm.')
  const done = await run(`${line} --yes`)
  expect(done).toMatchObject({ code: 0, out: expect.stringContaining('You’ve taken over 2 subscriptions.') })
  // With --yes nobody is asked, but told.
  expect(done.err).toContain(`In Stripe, ${switchOffSteps[0]}`)
  const tiers = world.ctx.sqlite.prepare('select id, tierSlug from subscriptions order by tierSlug').all()
  expect(tiers).toEqual([
    { id: lee.id, tierSlug: 'lite' },
    { id: kim.id, tierSlug: 'standard' },
  ])
  expect((await run(`${line} --yes`)).out).toMatch(/Yours already +2\n/)
  const [{ id }] = JSON.parse((await run('import list --json')).out).filter(
    ({ state }: { state: string }) => state === 'applied',
  )
  expect((await run(`import undo ${id} --yes`)).err).toContain('You’ve let go of 2 subscriptions.')
  expect([countRows(world, 'customers'), countRows(world, 'adopted_subscriptions')]).toEqual([0, 0])

  const linked = await run(`subscriptions link ${kim.id} kim@example.com --tier xl --dry-run`)
  expect(linked.out).toMatch(/Each payment +You keep £250\.00 of £300\.00/)
  expect(await run(`subscriptions link ${kim.id} kim@example.com --tier xl --yes`)).toMatchObject({ code: 0 })
})

test('a rehearsal shows the same plan, and ends there', async () => {
  await sellElsewhere(world)
  const rehearsed = await run('import stripe --rehearse --yes')
  expect(rehearsed).toMatchObject({
    code: 0,
    out: expect.stringContaining('A rehearsal: 1 subscription could be yours.'),
  })
  expect(countRows(world, 'customers')).toBe(0)
})
