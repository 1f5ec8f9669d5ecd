import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { rowsOf } from '#api/testing/enquiries.ts'
import { type DataFolder, openDataFolder } from '#cli/testing/server.ts'

let folder: DataFolder
let place: string
beforeEach(() => {
  folder = openDataFolder()
  place = mkdtempSync(join(tmpdir(), 'alliance-members-'))
})
afterEach(() => {
  folder.close()
  rmSync(place, { recursive: true })
})

function fileOf(name: string, text: string): string {
  writeFileSync(join(place, name), text)
  return join(place, name)
}
const members = () => rowsOf(folder.world, 'users').filter(({ isAdmin }) => isAdmin === 0)

test('a plan is rehearsed on a copy, whether it was planned here before or not', { tags: ['full'] }, async () => {
  const line = `import members ${fileOf('zed.csv', 'email,first name\nzed@example.com,Zed\n')}`
  const rehearsed = { code: 0, out: expect.stringContaining('1 member moved in.') }
  expect(await folder.local(`${line} --rehearse`)).toMatchObject(rehearsed)
  expect(await folder.local(`${line} --rehearse --dry-run`)).toMatchObject({
    code: 0,
    out: expect.stringContaining('We’ll add 1 member.'),
  })
  expect(await folder.local(`${line} --dry-run`)).toMatchObject({ code: 0 })
  expect(await folder.local(`${line} --rehearse`)).toMatchObject(rehearsed)
  expect([members(), rowsOf(folder.world, 'imports').map(({ state }) => state)]).toEqual([[], ['planned']])
  rmSync(join(folder.dataDir, 'imports'), { recursive: true })
  const lost = await folder.local('import apply zed.csv --yes')
  expect(lost).toMatchObject({ code: 1, err: expect.stringContaining('Name the file again.') })
})

test('in a terminal of 80 columns a plan says why, in words', async () => {
  const csv = `email,first name,subscribed,unsubscribed,expires
ann@example.com,Ann,no,,03/04/2027
not an address,,,,
ann@example.com,Ann,yes,,
kim@example.com,Kim,yes,,12/31/2027
${Array.from({ length: 22 }, (_, at) => `bad ${at},,,,`).join('\n')}`
  const line = `import members ${fileOf('people.csv', csv)} --dry-run`
  const options = { columns: 80, isTTY: { stdin: false, stdout: true } }
  const { out } = await folder.local(line, options)
  const text = Bun.stripANSI(out)
    .replace(/[│╭╮╰╯─]/g, ' ')
    .replace(/\s+/g, ' ')
  expect(text).toContain('Line 2: “expires” has days with the month first, so they get no access.')
  expect(text).toContain('Line 3: This isn’t an email address.')
  expect(text).toContain('Line 4: The same address as line 2. That line says no to emails, so they get no campaigns.')
  expect(text).toContain('And 3 more. See them all with --csv.')
  for (const words of ['first name', 'agreed to emails', 'unsubscribed or bounced', 'paid until'])
    expect(text).toMatch(new RegExp(`\\S ${words}\\b`))
  expect(text).not.toMatch(/Hidden|paidUntil|firstName/)
  const csvOut = (await folder.local('import show people.csv --csv')).out
  expect(csvOut.trim().split('\n')).toHaveLength(1 + 23 + 2 + 1)
  const other = `import members ${fileOf('other.csv', 'adres\nann@example.com\n')}`
  expect((await folder.local(`${other} --dry-run`)).out).toContain('Say which it is: --map "email=…"')
  expect(await folder.local(`${other} --yes`)).toMatchObject({
    code: 1,
    err: expect.stringContaining('--map "email=…"'),
  })
})

test('an import that was undone gives its name away, and an undo says who’s been emailed', {
  tags: ['full'],
}, async () => {
  const line = `import members ${fileOf('members.csv', 'email\nann@example.com\n')} --yes`
  await folder.local(line)
  await folder.local('import undo members.csv --yes')
  expect((await folder.local('import list')).out).toMatch(/members\.csv\s+Undone\s+0\b/)
  await folder.local(line)
  expect(await folder.local('import write members.csv --yes')).toMatchObject({
    code: 0,
    err: expect.stringContaining('1 email on the way.'),
  })
  const plan = JSON.parse((await folder.local('import undo members.csv --dry-run --json')).out)
  expect(plan.question).toBe('You’ve emailed 1 person how to log in. Take out 1 member again?')
  fileOf('members.csv', 'email\nbob@example.com\n')
  await folder.local(line)
  const { err } = await folder.local('import show members.csv')
  expect(err).toMatch(/There are 2 of members\.csv: .*\([^)]*moved in\), .*\([^)]*moved in\)\./)
  expect(err).not.toContain('undone')
})
