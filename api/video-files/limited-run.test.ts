// @module-tag full
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { projectFolder } from '#api/project.ts'
import { runLimited } from './limited-run.ts'

const folder = mkdtempSync(join(tmpdir(), 'alliance-limits-'))
afterAll(() => rmSync(folder, { recursive: true }))

const shell = async (script: string, limits: object = {}, stopping?: AbortSignal) => {
  const lines: string[] = []
  const how = {
    limits: { seconds: 60, bytes: 1_000_000, ...limits },
    stopping,
    onLine: (line: string) => lines.push(line),
  }
  return { ...(await runLimited(['/bin/sh', '-c', script], how)), lines }
}

test('a program that works too long, writes too much, takes too much memory or isn’t wanted any more is ended', async () => {
  expect(await shell('echo one; printf two')).toEqual({ ended: 'done', errors: '', lines: ['one', 'two'] })
  expect((await shell('while :; do :; done', { seconds: 1 })).ended).toBe('too-slow')
  const file = join(folder, 'large')
  expect(
    (await shell(`exec dd if=/dev/zero of=${file} bs=4096 count=1000 status=none`, { bytes: 100_000 })).ended,
  ).toBe('too-large')
  expect(statSync(file).size).toBeLessThan(101_000)
  expect(await shell('exec dd if=/dev/zero of=/dev/null bs=2G count=1 status=none')).toMatchObject({
    ended: 'failed',
    errors: expect.stringContaining('memory'),
  })
  const stop = new AbortController()
  const running = shell('echo begun; exec sleep 1000', {}, stop.signal)
  stop.abort()
  expect((await running).ended).toBe('stopped')
  expect((await shell('exit 3')).ended).toBe('failed')
}, 300_000)

test('a program doesn’t outlive the server that started it, however that ends', async () => {
  const note = join(folder, 'pid')
  const run = `
    import { runLimited } from '#api/video-files/limited-run.ts'
    const limits = { seconds: 600, bytes: 1000 }
    await runLimited(['/bin/sh', '-c', 'echo $$ > ${note}; exec sleep 600'], { limits, stopping: undefined, onLine() {} })
  `
  const server = Bun.spawn([process.execPath, '-e', run], {
    cwd: projectFolder,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const pid = () => Number(readFileSync(note, 'utf8'))
  await expect.poll(pid).toBeGreaterThan(0)
  const isAlive = () =>
    Bun.spawnSync(['kill', '-0', String(pid())], { stdio: ['ignore', 'ignore', 'ignore'] }).exitCode === 0
  expect(isAlive()).toBe(true)
  server.kill('SIGKILL')
  await expect.poll(isAlive).toBe(false)
}, 60_000)
