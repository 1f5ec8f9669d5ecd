import { afterAll, beforeAll, expect, test } from 'vitest'
import { addPaidMonth } from '#api/testing/commission.ts'
import { type DataFolder, openDataFolder } from '#cli/testing/server.ts'

let folder: DataFolder
beforeAll(() => {
  folder = openDataFolder()
  const { world } = folder
  addPaidMonth(world, world.addMember({ email: 'sam@alliance.test', tier: 'standard' }), '2026-06-11')
})
afterAll(() => folder.close())

test.each([
  ['members sh', 'show\n'],
  ['members show sa', 'sam@alliance.test\n'],
  ['invoices show A-', 'A-1\n'],
  ['invoices pdf A-', 'A-1\n'],
  ['invoices credit A-', 'A-1\n'],
  ['invoices list --member s', 'sam@alliance.test\n'],
  ['members refund sam@alliance.test --invoice A', 'A-1\n'],
  ['members tier sam@alliance.test x', 'xl\n'],
  ['export accounts --format x', 'xero\n'],
  ['members list --show w', 'with-access\nwithout-access\n'],
  ['payments list --show re', 'refunded\n'],
  ['earned --by t', 'tax-year\n'],
  ['tiers price set lite month 4', ''],
  ['tiers set lite --off car', 'cards\n'],
])('%s is completed with what there is', async (words, found) => {
  expect(await folder.local(`complete -- ${words}`)).toEqual({ code: 0, out: found, err: '' })
})

test('bash completes an address beyond its @, which it takes for the end of a word', async () => {
  const script = (await folder.local('completion bash')).out
  const completed = (line: string) => {
    const shell = `alliance() { printf '%s\\n' "$*" >&2; printf '%s\\n' sam@alliance.test sam@alliance.co; }
      ${script}
      COMP_LINE='${line}' COMP_POINT=${line.length} COMP_WORDBREAKS=$' \\t\\n"@:='
      _alliance; printf '%s\\n' "\${COMPREPLY[@]}"`
    const { stdout, exitCode } = Bun.spawnSync(['bash', '-c', shell])
    return [exitCode, ...stdout.toString().trimEnd().split('\n')]
  }
  expect(completed('alliance members show sam')).toEqual([0, 'sam@alliance.test', 'sam@alliance.co'])
  expect(completed('alliance members show sam@all')).toEqual([0, '@alliance.test', '@alliance.co'])
})
