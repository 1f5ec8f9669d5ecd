// @module-tag full
import { chmodSync, chownSync, copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { builtProgram } from '#api/testing/built-program.ts'
import { type DataFolder, openDataFolder } from '#cli/testing/server.ts'

let folder: DataFolder
let place: string
const at = (name: string) => join(place, name)
beforeEach(() => {
  folder = openDataFolder()
  place = mkdtempSync(join(tmpdir(), 'alliance-named-'))
  for (const name of ['bin', 'site', 'here']) mkdirSync(at(name))
  for (const name of ['alliance', 'site']) copyFileSync(`deploy/bin/${name}`, at(`bin/${name}`))
  const main = builtProgram('cli/main')
  writeFileSync(at('bin/bun'), `#!/bin/sh\nshift 2\nexec ${process.execPath} --no-env-file ${main} "$@"\n`, {
    mode: 0o755,
  })
})
afterEach(() => {
  folder.close()
  rmSync(place, { recursive: true })
})

/** A release's own command, typed in the folder `here`. Its site is in another. */
function typed(line: string) {
  const { exitCode, stdout, stderr } = Bun.spawnSync([at('bin/alliance'), ...line.split(' ')], {
    cwd: at('here'),
    env: { PATH: process.env.PATH, ...folder.env, ALLIANCE_SITE: at('site') },
  })
  return { code: exitCode, out: stdout.toString(), err: stderr.toString() }
}

test('a release’s command takes each file that’s named from the folder where it was typed', () => {
  writeFileSync(
    at('here/logo.svg'),
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path d="M0 0h1v1z"/></svg>',
  )
  expect(typed('media add logo.svg')).toMatchObject({ code: 0 })
  expect(typed('content export site.json')).toMatchObject({ code: 0 })
  expect(typed('content import site.json --dry-run')).toMatchObject({ code: 0 })
  expect(typed('export all all.zip')).toMatchObject({ code: 0 })
  expect(typed('backup create --to back')).toMatchObject({ code: 0, out: expect.stringContaining(at('here/back/')) })
  expect(typed('backup restore back/x --into there').err).toContain(at('here/back/x'))
  for (const line of [
    ...['backup verify x', 'apply x', 'media add x', 'content import x', 'import all x', 'import members x'],
    ...['api /api/contact --input x', 'setup --answers x', 'backup create --passphrase-file x'],
  ])
    expect([line, typed(line).err]).toEqual([line, expect.stringContaining(at('here/x'))])
  for (const name of ['all.zip', 'back', 'site.json']) expect(readdirSync(at('here'))).toContain(name)
  expect(readdirSync(at('site'))).toEqual([])
})

const nobody = 65_534

test('what the site’s own user may not read or write is said with the way out', () => {
  // Only root can be someone else.
  if (process.getuid?.() !== 0) return
  chmodSync(place, 0o755)
  chmodSync(at('here'), 0o700)
  writeFileSync(at('here/plan.json'), '{}', { mode: 0o600 })
  for (const path of [
    at('site'),
    folder.dataDir,
    ...readdirSync(folder.dataDir).map((name) => join(folder.dataDir, name)),
  ])
    chownSync(path, nobody, nobody)
  const wayOut = 'Put it where that user can read and write, such as /tmp.\n'
  for (const [line, name] of [
    ['apply plan.json', 'plan.json'],
    ['import members plan.json', 'plan.json'],
    ['setup --answers plan.json', 'plan.json'],
    ['content import plan.json --yes', 'plan.json'],
    ['export all all.zip', 'all.zip'],
    ['content export site.json', 'site.json'],
    ['report daily --always --heartbeat beat', 'beat.new'],
  ] as const) {
    const { code, err } = typed(line)
    expect([line, code === 0, err]).toEqual([line, false, `The user nobody can’t use ${at(`here/${name}`)}. ${wayOut}`])
  }
  const refused = (opening: string) => {
    for (const line of ['backup create --to back', 'backup schedule 03:15 --to back'])
      expect([line, typed(line).err]).toEqual([line, expect.stringContaining(opening)])
  }
  refused(`The user nobody can’t get into ${at('here')}. Name a folder outside it.`)
  chmodSync(at('here'), 0o755)
  refused(`Make it the user nobody’s: sudo install -d -o nobody -m 700 ${at('here/back')}`)
})
