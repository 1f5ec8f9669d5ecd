// @module-tag full
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { freePorts } from '#api/testing/free-ports.ts'
import {
  addMigration,
  type InstalledSite,
  installSite,
  openWorkshop,
  replaceFile,
  type Workshop,
} from './testing/releases.ts'

let workshop: Workshop
let site: InstalledSite
let proxy: HoldingProxy
beforeAll(() => {
  workshop = openWorkshop()
})
afterAll(() => workshop.close())
beforeEach(async () => {
  site = installSite(workshop, Number(freePorts(1)[0]))
  site.systemctl('start')
  proxy = holdRequestsFor(site.url)
  await proxy.ask('/ready')
})
afterEach(() => {
  proxy.stop()
  site.close()
})

const running = () => readlinkSync(join(site.root, 'current')).replace('releases/', '')
const ready = async () => (await fetch(`${site.url}/ready`)).json()

type HoldingProxy = ReturnType<typeof holdRequestsFor>

/** Holds a request while no server takes it, as Caddy does by `lb_try_duration`. */
function holdRequestsFor(url: string) {
  const hold = async (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url)
    // It only ends what hangs: on a busy machine a start takes half a minute.
    const until = performance.now() + 120_000
    for (;;) {
      try {
        return await fetch(`${url}${pathname}`, {
          headers: { connection: 'close', 'accept-encoding': 'identity' },
          keepalive: false,
        })
      } catch (error) {
        if (performance.now() > until) throw error
        await Bun.sleep(20)
      }
    }
  }
  const server = Bun.serve({ port: 0, idleTimeout: 130, fetch: hold })
  return { ask: (path: string) => fetch(`http://127.0.0.1:${server.port}${path}`), stop: () => server.stop(true) }
}

/** Visitors who ask all along, until told to stop. Says how it went for them. */
function visit(paths: readonly string[]) {
  const went = { answers: 0, failed: [] as string[], longestMs: 0 }
  let isOver = false
  const visitor = async (path: string) => {
    while (!isOver) {
      const began = performance.now()
      const status = await proxy.ask(path).then(
        async (response) => (await response.arrayBuffer()) && response.status,
        (error: unknown) => String(error),
      )
      went.answers += 1
      went.longestMs = Math.max(went.longestMs, performance.now() - began)
      if (status !== 200) went.failed.push(`${path} ${status}`)
    }
  }
  const all = Promise.all(paths.map(visitor))
  return async () => {
    isOver = true
    await all
    return went
  }
}

const Bill = v.object({
  bomFormat: v.literal('CycloneDX'),
  components: v.pipe(v.array(v.looseObject({ purl: v.string(), hashes: v.array(v.unknown()) })), v.minLength(100)),
})

test('a release weighs at most 80 MB beside Bun, names everything in it, and keeps nothing of the site in its folder', () => {
  const folder = workshop.unpacked
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const bytes = files
    .map(({ parentPath, name }) => statSync(join(parentPath, name)).size)
    .reduce((sum, one) => sum + one, 0)
  expect(bytes - statSync(join(folder, 'bin/bun')).size).toBeLessThan(80_000_000)
  const bill = v.parse(Bill, JSON.parse(readFileSync(join(folder, 'sbom.cdx.json'), 'utf8')))
  expect(bill.components.map(({ purl }) => purl)).toContainEqual(expect.stringContaining('pkg:npm/better-sqlite3@'))
  expect(readdirSync(join(site.root, 'current/data'))).not.toContain('local')
  // Its documentation names the file.
  expect(readdirSync(folder)).toContain('.env.example')
  // What the installer's --signers takes lies beside the archive.
  const verify = ['ssh-keygen', '-Y', 'verify', '-f', join(workshop.folder, 'allowed_signers'), '-I', 'alliance']
  const { archive } = workshop.first
  const checked = Bun.spawnSync([...verify, '-n', 'alliance-release', '-s', `${archive}.sig`], {
    stdin: Bun.file(archive),
  })
  expect(checked.exitCode).toBe(0)
})

test('without settings it doesn’t start, and doctor says the same', async () => {
  const folder = join(workshop.folder, 'bare')
  mkdirSync(join(folder, 'site'), { recursive: true })
  const env = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', ALLIANCE_SITE: join(folder, 'site') }
  const run = (program: string, ...argv: string[]) =>
    Bun.spawnSync([join(workshop.unpacked, 'bin', program), ...argv], { env })
  const server = run('alliance-server')
  const line = 'Not set up yet. Run: sudo alliance setup'
  expect([server.exitCode, server.stderr.toString()]).toEqual([1, `Alliance didn’t start. ${line}\n`])
  expect(run('alliance', 'doctor').stdout.toString()).toMatch(new RegExp(`^failed +settings +${line}$`, 'm'))
  expect(readdirSync(join(folder, 'site'))).toEqual([])
})

test('it has the API’s documentation', async () => {
  const response = await fetch(`${site.url}/api/docs`)
  expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('/api/membership-tiers')])
})

test('a nightly backup goes only where the service may write', async () => {
  const elsewhere = join(site.root, 'backups')
  const refused = await site.alliance('backup', 'schedule', '03:15', '--to', elsewhere)
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining(`The service can’t write to ${elsewhere}.`)])
  const inside = await site.alliance('backup', 'schedule', '03:15')
  expect([inside.code, inside.out]).toEqual([0, expect.stringContaining(join(site.root, 'data/data/local/backups'))])
})

test('a backup restored next to the site is only to look at: the service can’t run there', async () => {
  const made = await site.alliance('backup', 'create')
  const into = join(site.root, 'last-night')
  const { code, err } = await site.alliance('backup', 'restore', made.out.trim(), '--into', into)
  expect([code, err]).toEqual([0, expect.stringMatching(/which is unchanged\. To run .* restore without --into\.\n/)])
  expect(err).not.toContain('.env')
})

test('an update and the way back lose no request, keep an open page’s files and need no restore', async () => {
  const next = workshop.variant(1, (folder) => {
    addMigration(folder, 'create table tried (id text primary key);')
    // Another build has other names.
    for (const name of readdirSync(join(folder, 'pwa/dist/client/assets')).filter((one) =>
      one.startsWith('post-editor'),
    ))
      Bun.spawnSync(['rm', join(folder, 'pwa/dist/client/assets', name)])
  })
  const assets = join(site.root, 'current/pwa/dist/client/assets')
  const old = `/assets/${readdirSync(assets).find((name) => /^post-editor.*\.js$/.test(name))}`
  const page = await (await proxy.ask(old)).text()
  await expect.poll(() => existsSync(join(site.root, 'data/data/local/assets/releases.json'))).toBe(true)
  const leave = visit(['/', '/api/health', old])
  const updated = await site.alliance('update', next.archive, '--yes')
  expect([updated.code, updated.err]).toEqual([0, expect.stringMatching(/^Updated to \S+\. 1 migration, \d+\.\d s /)])
  expect(await ready()).toEqual({ ready: true, release: next.release.name })
  expect(await (await proxy.ask(old)).text()).toBe(page)
  const back = await site.alliance('rollback', '--yes')
  expect([back.code, back.err]).toEqual([0, expect.stringContaining(workshop.first.release.name)])
  expect(await ready()).toEqual({ ready: true, release: workshop.first.release.name })
  const { failed, answers, longestMs } = await leave()
  process.stdout.write(`${answers} answers, the longest after ${Math.round(longestMs)} ms\n`)
  expect(failed).toEqual([])
  expect(running()).toBe(workshop.first.release.name)
  expect(readdirSync(join(site.root, 'releases')).filter((name) => name.startsWith('.'))).toEqual([])
})

test('a damaged video file doesn’t stop an update, and no file of the release runs as its owner', async () => {
  const media = join(site.root, 'data/data/local/media')
  const videoFile = readdirSync(media, { recursive: true, withFileTypes: true }).find((entry) => entry.isFile())
  const path = join(videoFile?.parentPath ?? '', videoFile?.name ?? '')
  const bytes = readFileSync(path)
  bytes[1000] = (bytes[1000] ?? 0) ^ 1
  writeFileSync(path, bytes)
  const next = workshop.variant(9, (folder) => {
    addMigration(folder, 'create table tried (id text primary key);')
    writeFileSync(join(folder, 'bin/other'), '#!/bin/sh\n')
    chmodSync(join(folder, 'bin/other'), 0o6777)
  })
  const { code, err } = await site.alliance('update', next.archive, '--yes')
  expect([code, err]).toEqual([0, expect.stringMatching(/^Updated to \S+\. 1 migration, /)])
  expect(await ready()).toEqual({ ready: true, release: next.release.name })
  expect((statSync(join(site.root, 'current/bin/other')).mode & 0o7777).toString(8)).toBe('755')
})

test('a migration that fails halfway, a server that ends, and a stop that’s cut off, all lead back to the release before', async () => {
  const broken = workshop.variant(2, (folder) =>
    addMigration(folder, 'create table half (id text);--> statement-breakpoint\ninsert into nowhere values (1);'),
  )
  const leave = visit(['/'])
  const failed = await site.alliance('update', broken.archive, '--yes')
  expect([failed.code, failed.err]).toEqual([
    1,
    expect.stringContaining(`so ${workshop.first.release.name} runs again.`),
  ])
  expect(failed.err).toContain('9999_tried failed')
  const ending = workshop.variant(3, (folder) => replaceFile(join(folder, 'dist/api/main.js'), 'process.exit(1)'))
  const ended = await site.alliance('update', ending.archive, '--yes')
  expect([ended.code, ended.err]).toEqual([1, expect.stringContaining('The server ended.')])
  writeFileSync(join(site.root, 'cut'), '')
  const cut = await site.alliance('update', ending.archive, '--yes')
  expect([cut.code, cut.err]).toEqual([1, expect.stringContaining('systemctl stop alliance')])
  expect(await ready()).toEqual({ ready: true, release: workshop.first.release.name })
  expect((await leave()).failed).toEqual([])
})

test('it’s refused unsigned, by another key, older, or with a byte changed, and nothing stops', async () => {
  const { archive, release } = workshop.variant(4)
  const pid = readFileSync(join(site.root, 'pid'), 'utf8')
  const otherKey = join(workshop.folder, 'other')
  Bun.spawnSync(['ssh-keygen', '-q', '-t', 'ed25519', '-N', '', '-f', otherKey])
  const foreign = workshop.variant(5, undefined, otherKey)
  const other = workshop.variant(7, (folder) => {
    const file = join(folder, 'release.json')
    replaceFile(file, readFileSync(file, 'utf8').replace(/linux-\w+/, 'linux-sparc'))
  })
  Bun.spawnSync([
    'sh',
    '-c',
    `cp ${archive} ${archive}.bare; cp ${archive} ${archive}.bent; cp ${archive}.sig ${archive}.bent.sig; printf x >> ${archive}.bent`,
  ])
  for (const [file, code, says] of [
    [
      `${archive}.bare`,
      3,
      `get ${archive}.bare.sig: there’s no such file. Copy the archive and its .sig into one folder.`,
    ],
    [`${archive}.bent`, 4, 'isn’t signed with the key this site trusts, or was cut off on its way.'],
    [foreign.archive, 4, 'isn’t signed with the key'],
    [other.archive, 1, `for another processor (sparc; this machine is ${process.arch})`],
    [workshop.first.archive, 2, 'runs already'],
  ] as const)
    expect(await site.alliance('update', file, '--yes')).toMatchObject({ code, err: expect.stringContaining(says) })
  expect(await site.alliance('update', archive, '--yes')).toMatchObject({ code: 0 })
  expect(readFileSync(join(site.root, 'pid'), 'utf8')).not.toBe(pid)
  const older = await site.alliance('update', workshop.first.archive, '--yes')
  expect([older.code, older.err]).toEqual([2, expect.stringContaining('--downgrade')])
  expect((await site.alliance('update', workshop.first.archive, '--downgrade', '--yes')).code).toBe(0)
  expect(running()).toBe(workshop.first.release.name)
  expect(statSync(join(site.root, 'releases', release.name)).isDirectory()).toBe(true)
})

test('a release that can’t say what it would do to the database isn’t taken: there’d be no backup to go back to', async () => {
  const pid = readFileSync(join(site.root, 'pid'), 'utf8')
  const mute = workshop.variant(8, (folder) => {
    replaceFile(join(folder, 'bin/alliance'), '#!/bin/sh\necho out of memory >&2\nexit 1\n')
    chmodSync(join(folder, 'bin/alliance'), 0o755)
  })
  const { code, err } = await site.alliance('update', mute.archive, '--yes')
  expect([code, err]).toEqual([1, expect.stringContaining('can’t read the site’s database. out of memory')])
  expect([readFileSync(join(site.root, 'pid'), 'utf8'), running()]).toEqual([pid, workshop.first.release.name])
})

test('back over a migration that does more than add, it says what’s lost and restores the backup of that update', async () => {
  const next = workshop.variant(6, (folder) => addMigration(folder, 'alter table member_photos rename to portraits;'))
  const before = await site.alliance('update', next.archive)
  expect([before.code, before.err]).toEqual([2, expect.stringContaining('Going back later restores the backup')])
  expect((await site.alliance('update', next.archive, '--yes')).code).toBe(0)
  const plan = await site.alliance('rollback', '--dry-run', '--json')
  expect([plan.code, plan.err]).toEqual([0, ''])
  expect(JSON.parse(plan.out)).toMatchObject({ facts: { restore: expect.stringMatching(/\.tar$/) } })
  const asked = await site.alliance('rollback')
  expect([asked.code, asked.err]).toEqual([2, expect.stringContaining('You’d lose what came after')])
  expect(await ready()).toMatchObject({ release: next.release.name })
  expect((await site.alliance('rollback', '--yes')).code).toBe(0)
  expect(await ready()).toEqual({ ready: true, release: workshop.first.release.name })
})
