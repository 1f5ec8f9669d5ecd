// @module-tag full
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { programFolder, projectFolder } from '#api/project.ts'
import { builtProgram } from '#api/testing/built-program.ts'
import { openDataFolder } from '#cli/testing/server.ts'

test('errors of the built programs name lines of the sources: every source map leads to them', () => {
  builtProgram('api/main')
  // The previous build's files stay for running servers, and their sources may have moved since.
  const written: string[] = JSON.parse(readFileSync(join(programFolder, 'files.json'), 'utf8'))
  const maps = written.filter((path) => path.endsWith('.map'))
  expect(maps).toEqual(expect.arrayContaining(['./api/main.js.map', './cli/main.js.map']))
  const sources = maps.flatMap((path) => {
    const map: { sources: string[] } = JSON.parse(readFileSync(join(programFolder, path), 'utf8'))
    return map.sources.map((source) => join(programFolder, dirname(path), source))
  })
  expect(sources.filter((source) => !existsSync(source))).toEqual([])
})

test('what every start loads is ours, the framework and the database: whatever else is needed, is loaded where it is', () => {
  builtProgram('api/main')
  const api = join(programFolder, 'packages/api.js')
  // What `require` is asked for while the bundle starts; what's needed later is behind a function.
  const listLoaded = `const path = ${JSON.stringify(api)}
    const load = require('node:module').createRequire(path)
    const asked = []
    const own = { exports: {} }
    const bundle = (0, eval)(require('node:fs').readFileSync(path, 'utf8').trim().replace(/;$/, ''))
    bundle(own.exports, Object.assign((name) => (asked.push(name), load(name)), load), own, path, require('node:path').dirname(path))
    console.log(JSON.stringify({ asked, files: Object.keys(load.cache) }))`
  const { stdout, stderr } = Bun.spawnSync([process.execPath, '--no-env-file', '-e', listLoaded])
  expect(stderr.toString()).toBe('')
  const { asked, files }: { asked: string[]; files: string[] } = JSON.parse(stdout.toString())
  const packages = files.flatMap((path) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? [])
  expect([...new Set(packages)]).toEqual(['better-sqlite3'])
  expect(asked).toContain('fs')
  // These take 10 to 30 ms each.
  const slow = ['crypto', 'http', 'https', 'net', 'stream', 'tls', 'worker_threads', 'zlib']
  expect(asked.filter((name) => slow.includes(name))).toEqual([])
})

async function drawn(program: string, env: Record<string, string | undefined>, command: string[]): Promise<string> {
  const decoder = new TextDecoder()
  let output = ''
  const data = (_: Bun.Terminal, bytes: Uint8Array) => {
    output += decoder.decode(bytes, { stream: true })
  }
  const child = Bun.spawn([process.execPath, '--no-env-file', program, ...command], {
    cwd: projectFolder,
    env: { ...process.env, ...env, TERM: 'xterm-256color', CI: undefined },
    terminal: { cols: 100, rows: 200, data },
  })
  expect(await child.exited).toBe(0)
  child.terminal?.close()
  return output
}

test('the built terminal, whose Ink is compiled, draws what the sources draw, whatever width its letters have', async () => {
  const folder = openDataFolder()
  try {
    const email = 'kenji@example.com'
    folder.world.addMember({ email, firstName: 'Kenji 👷🏽‍♀️', lastName: '配管工 é' })
    folder.world.addMember({ email: 'sam@example.com', firstName: 'Sam', lastName: 'Field' })
    for (const command of [
      ['members', 'list'],
      ['members', 'show', email],
    ]) {
      const fromSources = await drawn('cli/main.ts', folder.env, command)
      expect(fromSources).toContain('▌')
      expect(await drawn(builtProgram('cli/main'), folder.env, command)).toBe(fromSources)
    }
  } finally {
    folder.close()
  }
})
