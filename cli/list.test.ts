import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { databaseFile } from '#api/db/data-dir.ts'
import { addManyMembers } from '#api/testing/many-members.ts'
import { startWorld } from '#api/testing/world.ts'
import { runCli } from './program.ts'

async function writtenBy(argv: string[], env: Record<string, string>): Promise<string[]> {
  const written: string[] = []
  const stdout = new Writable({
    write(chunk, _encoding, done) {
      written.push(String(chunk))
      done()
    },
  })
  const stderr = new Writable({ write: (_chunk, _encoding, done) => done() })
  const io = { stdin: Readable.from([]), stdout, stderr, env, isTTY: { stdin: false, stdout: false }, columns: 80 }
  expect(await runCli(argv, { ...io, cwd: '/', signal: new AbortController().signal, now: () => new Date() })).toBe(0)
  return written
}

test('a long list is written page by page, and is the same as if it were made at once', {
  tags: ['full'],
}, async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'alliance-list-'))
  const world = startWorld({ file: databaseFile(dataDir) })
  const count = 3_100
  addManyMembers(world.ctx, count)
  world.ctx.sqlite.close()
  const env = { DATA_DIR: dataDir }
  const pages = Math.ceil(count / 1000)
  const json = await writtenBy(['members', 'list', '--json'], env)
  const rows: { email: string }[] = JSON.parse(json.join(''))
  expect([json.length, new Set(rows.map(({ email }) => email)).size]).toEqual([pages, count])
  expect(json.join('')).toBe(`${JSON.stringify(rows, null, 2)}\n`)
  for (const option of [['--csv'], []]) {
    const written = await writtenBy(['members', 'list', ...option], env)
    const lines = written.join('').trimEnd().split(/\r?\n/)
    expect([written.length, lines.length]).toEqual([pages, count + 1])
    expect(lines.filter((line) => line.includes('@many.test'))).toHaveLength(count)
  }
  rmSync(dataDir, { recursive: true })
})
