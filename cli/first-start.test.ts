// @module-tag full
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { copyRepository } from '../scripts/copy-repository.ts'

let clone = ''
beforeAll(() => {
  clone = mkdtempSync(join(tmpdir(), 'alliance-clone-'))
  copyRepository(clone)
})
afterAll(() => rmSync(clone, { recursive: true }))

async function alliance(folder: string, ...argv: string[]) {
  const env = { ...process.env, DATA_DIR: join(clone, folder) }
  const command = ['node', join(clone, 'scripts/alliance.mjs'), ...argv]
  const child = Bun.spawn(command, { cwd: clone, env, stdout: 'pipe', stderr: 'pipe' })
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  return { code: await child.exited, out, err }
}

test('the terminal works before the first start: it builds itself, fills a new folder, and prints data alone', async () => {
  expect(existsSync(join(clone, 'dist'))).toBe(false)
  const checked = await alliance('first', 'content', 'check', '--live', '--json')
  expect([checked.code, checked.err]).toEqual([1, expect.stringMatching(/Not ready to go live: .*\d+ samples\.\n$/)])
  expect(JSON.parse(checked.out)).not.toEqual([])
  expect((await alliance('first', 'content', 'export', 'words.json')).code).toBe(0)
  expect(await alliance('second', 'content', 'import', 'words.json', '--yes')).toMatchObject({ code: 0 })
  expect((await alliance('second', 'doctor')).out).toMatch(/^ok +migrations/m)
  expect(existsSync(join(clone, 'pwa/dist'))).toBe(false)
})
