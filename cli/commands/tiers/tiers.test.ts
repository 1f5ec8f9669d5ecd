import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { databaseFile } from '#api/db/data-dir.ts'
import { becomeMember } from '#api/testing/billing.ts'
import { countRows } from '#api/testing/joining.ts'
import { type PaymentWorld, startPaymentWorld } from '#api/testing/payments.ts'
import { type RunOptions, runCommand } from '#cli/testing/run-command.ts'

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
      ...{ DATA_DIR: folder, XDG_CONFIG_HOME: folder, PORT: '0', NO_COLOR: '1' },
      SANDBOX_PORT: String(world.sandbox.port),
    },
  })

async function priceOf(slug: string) {
  const tiers: { slug: string; price: number }[] = JSON.parse((await run('tiers list --json')).out)
  return tiers.find((tier) => tier.slug === slug)?.price
}
const noticesSent = () => countRows(world, 'mail_outbox', `cause like 'price-move:%'`)

test('a tier’s new price is shown before it is set, holds for new members, and is told to who is moved', async () => {
  // We don't ask about a change that changes nothing.
  expect(await run('tiers move standard')).toMatchObject({ code: 0, err: '0 members of Alliance told.\n' })
  const [email] = JSON.parse((await run('members list --json email --search Sam')).out)
  const same = await run(`members tier ${email.email} standard`)
  expect(same).toMatchObject({ code: 0, err: expect.stringContaining('Paid until') })
  const dry = await run('tiers set standard --price 275 --move-members --dry-run')
  expect(dry).toMatchObject({ code: 0, out: expect.stringMatching(/Sam Field[\s\S]*£250\.00/) })
  expect([await priceOf('standard'), noticesSent()]).toEqual([25_000, 0])
  const unsure = await run('tiers set standard --price 275')
  expect(unsure).toMatchObject({ code: 2, err: expect.stringContaining('Use --yes to confirm.') })

  const set = await run('tiers set standard --price 275 --yes')
  expect(set).toMatchObject({
    code: 0,
    err: expect.stringContaining('costs £275.00 + VAT a month for new members. 0 members told.'),
  })
  expect([await priceOf('standard'), noticesSent()]).toEqual([27_500, 0])
  const moved = await run('tiers set standard --price 275 --move-members --yes')
  expect(moved).toMatchObject({ code: 0, err: expect.stringContaining('1 member told.') })
  expect(noticesSent()).toBe(1)
  for (const wrong of ['--price 0', '--price ten', '--move-members'])
    expect((await run(`tiers set standard ${wrong}`)).code).toBe(2)
})
