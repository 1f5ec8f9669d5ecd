import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

const bunVersion: string = JSON.parse(readFileSync('package.json', 'utf8')).dependencies.bun

let clone: string
let registry: Bun.Server<undefined>
let asked: string[]
beforeEach(() => {
  clone = mkdtempSync(join(tmpdir(), 'alliance-clone-'))
  asked = []
  mkdirSync(join(clone, 'scripts'))
  for (const file of ['package.json', 'scripts/launch.mjs']) copyFileSync(file, join(clone, file))
})
afterEach(() => {
  registry.stop(true)
  rmSync(clone, { recursive: true })
})

/** A registry that has each of bun's packages, all with the same program, and what a script of theirs would do. */
function offer(program: string): { integrity: string } {
  const folder = join(clone, 'offered')
  mkdirSync(join(folder, 'package/bin'), { recursive: true })
  const scripts = { install: `touch ${join(clone, 'script-ran')}`, postinstall: `touch ${join(clone, 'script-ran')}` }
  writeFileSync(join(folder, 'package/package.json'), JSON.stringify({ name: 'bun', version: bunVersion, scripts }))
  writeFileSync(join(folder, 'package/bin/bun'), program, { mode: 0o755 })
  Bun.spawnSync(['tar', '-czf', join(folder, 'bun.tgz'), '-C', folder, 'package'])
  registry = Bun.serve({
    port: 0,
    fetch(request) {
      const { pathname, origin } = new URL(request.url)
      asked.push(decodeURIComponent(pathname))
      if (pathname.endsWith('.tgz')) return new Response(Bun.file(join(folder, 'bun.tgz')))
      const name = decodeURIComponent(pathname.slice(1))
      const dist = { tarball: `${origin}${pathname}.tgz` }
      return Response.json({ name, versions: { [bunVersion]: { name, version: bunVersion, dist } } })
    },
  })
  const hash = new Bun.CryptoHasher('sha512').update(readFileSync(join(folder, 'bun.tgz')))
  return { integrity: `sha512-${hash.digest('base64')}` }
}

/** The lock file of this repository, where bun's programs have this hash. */
function lockTo(integrity: string): void {
  const lock = readFileSync('bun.lock', 'utf8')
  writeFileSync(join(clone, 'bun.lock'), lock.replace(/^( +"@oven\/bun-.*)"sha512-\S+"\],$/gm, `$1"${integrity}"],`))
}

async function findBun() {
  const script = `import('./scripts/launch.mjs').then(({ findBun }) => console.log(findBun())).catch(({ message }) => console.error(message))`
  const child = Bun.spawn(['node', '-e', script], {
    cwd: clone,
    env: {
      ...process.env,
      npm_config_registry: registry.url.href,
      npm_config_cache: join(clone, 'cache'),
      npm_config_fetch_retries: '0',
    },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  return { out: out.trim(), err }
}

test('the first bun is the one in the lock file, of this machine’s kind, and none of its scripts runs', async () => {
  lockTo(offer(`#!/bin/sh\necho ${bunVersion}\n`).integrity)
  const { out } = await findBun()
  expect(out).toMatch(/\/\.bun\/node_modules\/@oven\/bun-[\w-]+\/bin\/bun$/)
  expect(existsSync(join(clone, 'script-ran'))).toBe(false)
  expect(asked.filter((path) => path.endsWith('.tgz')).length).toBeGreaterThan(0)
  // The next start asks no registry.
  const before = asked.length
  expect([(await findBun()).out, asked.length]).toEqual([out, before])
})

test('a bun with another hash isn’t taken', async () => {
  offer(`#!/bin/sh\necho ${bunVersion}\n`)
  copyFileSync('bun.lock', join(clone, 'bun.lock'))
  const { out, err } = await findBun()
  expect([out, err]).toEqual(['', expect.stringContaining(`bun ${bunVersion} could not be installed`)])
  expect(asked.some((path) => path.endsWith('.tgz'))).toBe(true)
  expect(existsSync(join(clone, 'script-ran'))).toBe(false)
})

test('without a network, the first start says that npm could not reach its registry', async () => {
  lockTo(offer(`#!/bin/sh\necho ${bunVersion}\n`).integrity)
  await registry.stop(true)
  const { out, err } = await findBun()
  expect([out, err]).toEqual(['', expect.stringContaining('npm could not reach its registry (connect ECONNREFUSED')])
})
