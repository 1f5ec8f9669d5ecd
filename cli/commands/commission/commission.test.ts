import { afterEach, beforeEach, expect, test } from 'vitest'
import { addClawback, addPaidMonth } from '#api/testing/commission.ts'
import { type DataFolder, openDataFolder } from '#cli/testing/server.ts'

let folder: DataFolder
beforeEach(() => {
  folder = openDataFolder()
})
afterEach(() => folder.close())

test('a tier is called by its own name, on sale or not, and a month that a refund took back says what is owed', async () => {
  const { world } = folder
  const una = world.addMember({ tier: 'standard', email: 'una@alliance.test', firstName: 'Una', lastName: 'Keel' })
  const noah = world.addMember({ tier: 'standard', email: 'noah@alliance.test', firstName: 'Noah', lastName: 'Reid' })
  for (const person of [una, noah]) addPaidMonth(world, person, '2026-05-20')
  world.ctx.sqlite.exec(`update membership_tiers set name = 'Crew', isActive = 0 where slug = 'standard'`)
  expect((await folder.local('members list --email una@alliance.test')).out).toMatch(
    /Keel +una@alliance\.test +Paid until .* +Crew /,
  )
  expect((await folder.local('members show una@alliance.test')).out).toMatch(/Tier +Crew\n/)
  expect((await folder.local('commission rates')).out).toMatch(/^Crew +10%/m)
  expect((await folder.local('commission statement 2026-05')).out).toMatch(/Una Keel.* Crew /)
  expect((await folder.local('commission pay una@alliance.test --month 2026-05')).code).toBe(0)
  for (const person of [una, noah]) addClawback(world, person)
  const { out } = await folder.local('commission list --month 2026-05')
  expect(out).toMatch(/Una Keel.* £0\.00 +−£25\.00 owed back\n/)
  expect(out).toMatch(/Noah Reid.* £0\.00 +−£25\.00 taken back\n/)
  const csv = (await folder.local('commission list --month 2026-05 --csv')).out
  expect(csv).toContain('commissionPence,takenBackPence,owedBackPence')
  expect(csv).toMatch(/una@.*,0,-2500,-2500,false/)
  expect(csv).toMatch(/noah@.*,0,-2500,0,false/)
})
