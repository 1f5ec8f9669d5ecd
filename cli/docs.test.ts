import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { largeBodies, maxBodyBytes } from '#api/http/request-body.ts'
import { addPaidMonth } from '#api/testing/commission.ts'
import { startOfTime } from '#api/testing/world.ts'
import { maxPhotoBytes } from '#shared/contract/photo.ts'
import { maxChunkBytes } from '#shared/contract/upload-piece.ts'
import { caddyLines, nginxLines, serviceFile } from './machine/service-lines.ts'
import { runCommand } from './testing/run-command.ts'
import { type DataFolder, openDataFolder } from './testing/server.ts'

const hosting = readFileSync('docs/hosting.md', 'utf8')
const cron = readFileSync('docs/cron.md', 'utf8')
const block = cron.slice(cron.indexOf('```cron\n') + 8)
const lines = block
  .slice(0, block.indexOf('```'))
  .split('\n')
  .filter((line) => /^\d/.test(line))

/** The command of a crontab line as cron passes it to the shell: after five fields, with `\%` for a percent sign. */
const commandOf = (line: string) => line.replace(/^(\S+\s+){5}/, '').replaceAll('\\%', '%')

let folder: DataFolder
let place: string
beforeAll(() => {
  folder = openDataFolder()
  place = mkdtempSync(join(tmpdir(), 'alliance-cron-'))
  for (const name of ['srv', 'backups', 'bin']) mkdirSync(join(place, name))
  // Records its arguments. The test then runs those in this process.
  writeFileSync(join(place, 'bin/npx'), `#!/bin/sh\nprintf '%s\\n' "$@" > "${place}/called"\n`)
  chmodSync(join(place, 'bin/npx'), 0o755)
  const una = folder.world.addMember({ tier: 'standard', email: 'una@alliance.test' })
  addPaidMonth(folder.world, una, '2026-06-11')
})
afterAll(() => {
  folder.close()
  rmSync(place, { recursive: true })
})

const inPlace = (text: string) =>
  text.replaceAll('/srv/alliance', join(place, 'srv')).replaceAll('/var/backups/alliance', join(place, 'backups'))

test.each(lines)('%s', async (line) => {
  const called = join(place, 'called')
  rmSync(called, { force: true })
  execFileSync('/bin/sh', ['-c', inPlace(commandOf(line))], {
    env: { PATH: `${join(place, 'bin')}:${process.env.PATH}`, TZ: 'Europe/London' },
  })
  const [program, ...argv] = readFileSync(called, 'utf8').trimEnd().split('\n')
  expect(program).toBe('alliance')
  const { code, err } = await runCommand(argv, { env: folder.env, now: () => startOfTime })
  // A check may find something in this small world, but every call has to be valid, and everything that isn't a check succeeds.
  expect(err).not.toMatch(/^error:/)
  // Cron emails whatever is printed, so a line that redirects its output has to stay silent when all is well.
  if (line.includes(' > ')) expect(err).toBe('')
  const isCheck = argv[0] === 'doctor' || argv[1] === 'lint'
  expect([argv, code]).toEqual([argv, isCheck ? expect.any(Number) : 0])
})

test('npx says nothing of its own beside a line, such as that there is a newer npm: cron would mail it', () => {
  expect(readFileSync('.npmrc', 'utf8')).toContain('update-notifier=false\n')
})

test('the lines leave what they promise', () => {
  expect(lines.length).toBeGreaterThan(8)
  const left = readdirSync(join(place, 'backups'))
  expect(left).toEqual(expect.arrayContaining(['daily', 'months.csv', 'xero.csv']))
  expect(left.filter((name) => name.endsWith('.tar'))).toHaveLength(1)
  expect(existsSync(join(place, 'backups/media'))).toBe(true)
  expect(readFileSync(join(place, 'backups/daily'), 'utf8')).toBe(`${startOfTime.toISOString()}\n`)
})

const site = { folder: '/srv/alliance', user: 'alliance', host: 'alliance.example', port: '3000' }
const fenced = (kind: string, text: string) => `\`\`\`${kind}\n${text}\`\`\`\n`

test('the service of a clone is the one that setup prints, and so are the proxies’ files, with its own places', () => {
  expect(hosting).toContain(fenced('ini', serviceFile(site)))
  const own = (name: string) =>
    readFileSync(`deploy/${name}`, 'utf8').replaceAll('/opt/alliance/current', '/srv/alliance')
  expect([nginxLines(site), caddyLines(site)]).toEqual([own('nginx.conf'), own('Caddyfile')])
})

test('a start that is refused for a while is tried again for as long as it takes', () => {
  expect(serviceFile(site)).toMatch(/^\[Unit\]\n[^[]*^StartLimitIntervalSec=0$/m)
  expect(serviceFile(site)).toMatch(/^\[Service\]\n[^[]*^RestartSec=\d+$/m)
})

test('the proxy that listens with TLS names a certificate and its key, which nginx asks for', () => {
  const lines = nginxLines(site)
  expect(lines).toMatch(/^ {2}listen 443 ssl;$/m)
  expect(lines).toMatch(/^ {2}ssl_certificate \/\S*\/alliance\.example\/\S+;$/m)
  expect(lines).toMatch(/^ {2}ssl_certificate_key \/\S*\/alliance\.example\/\S+;$/m)
})

test('the proxy lets through the largest body that a route takes', () => {
  const [, megabytes] = /^ *client_max_body_size (\d+)m;$/m.exec(nginxLines(site)) ?? []
  const limits = [maxBodyBytes, maxChunkBytes, maxPhotoBytes, ...Object.values(largeBodies).map(Number)]
  expect(Math.max(...limits)).toBe(20 * 1024 ** 2)
  // A body slightly over the limit gets our own error.
  expect(Number(megabytes) * 1024 ** 2).toBeGreaterThan(Math.max(...limits))
})
