import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { projectFolder } from '#api/project.ts'
import { startWorld } from '#api/testing/world.ts'

const namesOf = (world: ReturnType<typeof startWorld>) =>
  world.ctx.sqlite.prepare('select firstName, lastName, businessName from users').all()

test('names stored before they were tidied lose the marks nobody sees, and others stay', () => {
  const world = startWorld()
  world.addUser({ email: 'a@example.com' })
  world.addUser({ email: 'b@example.com' })
  world.ctx.sqlite.exec(`update users set firstName = char(8203) || 'Łukasz', lastName = 'O' || char(173) || '’Neill',
    businessName = null where email = 'a@example.com';
    update users set firstName = 'Zoë', lastName = 'Smith-Jones', businessName = '👩‍🔧 & Co' where email = 'b@example.com'`)
  const migration = readFileSync(join(projectFolder, 'data/migrations/0074_tidied_names.sql'), 'utf8')
  world.ctx.sqlite.exec(migration)
  expect(namesOf(world)).toEqual([
    { firstName: 'Łukasz', lastName: 'O’Neill', businessName: null },
    { firstName: 'Zoë', lastName: 'Smith-Jones', businessName: '👩‍🔧 & Co' },
  ])
})

test('names and addresses are tidied whatever way they come in', async () => {
  const world = startWorld()
  const owner = world.signIn(world.addOwner())
  const body = {
    firstName: '\u2068S\u0327am\u2069',
    lastName: 'Be\u200Bam\u200E',
    phone: '\u202A07700 900123\u202C',
    businessName: 'Be\u00ADam &\u00A0Sons',
    trade: null,
    email: 's\u200Bam\u00AD@exa\u2066mple.com\u202C',
  }
  const added = await owner('/api/admin/members', { body })
  expect([added.status, await added.json()]).toMatchObject([
    200,
    { firstName: 'Şam', lastName: 'Beam', phone: '07700 900123', email: 'sam@example.com' },
  ])
  const [row] = world.ctx.sqlite.prepare("select businessName from users where email = 'sam@example.com'").all()
  expect(row).toEqual({ businessName: 'Beam &\u00A0Sons' })
})
