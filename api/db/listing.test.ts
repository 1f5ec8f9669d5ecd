import { expect, test } from 'vitest'
import { startWorld } from '#api/testing/world.ts'

test('a person is found by their number and name as anybody would type them', async () => {
  const world = startWorld()
  const owner = world.signIn(world.addOwner())
  const add = (phone: string, firstName: string, lastName: string) => world.addUser({ firstName, lastName, phone })
  const [mobile, abroad, island] = [
    add('07700 900123', 'Łukasz', 'Wójcik'),
    add('+447700900456', 'Søren', 'Weiß'),
    add('01534 900789', 'Siân', 'O’Néill'),
  ]
  const found = async (q: string) => {
    const found = await (await owner(`/api/admin/members?q=${encodeURIComponent(q)}`)).json()
    return found.map(({ id }: { id: string }) => id)
  }
  for (const q of [
    '07700900123',
    '+44 7700 900123',
    '0044 7700 900123',
    '+44 (0)7700-900123',
    '07700 900123',
    '0770090012',
    'lukasz wojcik',
  ])
    expect([q, await found(q)]).toEqual([q, [mobile.id]])
  for (const q of ['07700 900456', '07700900456', 'soren', 'WEISS'])
    expect([q, await found(q)]).toEqual([q, [abroad.id]])
  for (const q of ['01534-900789', 'oneill', 'O`Neill', 'sian']) expect([q, await found(q)]).toEqual([q, [island.id]])
  expect(await found('07700 900999')).toEqual([])
})
