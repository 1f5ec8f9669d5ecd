import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { readSettings } from '#api/settings.ts'
import { runCommand } from '#cli/testing/run-command.ts'
import { startServer } from '#cli/testing/server.ts'

const read = (name: string) => readFileSync(`deploy/${name}`, 'utf8')

test('the unit lets the server write its data alone, and leaves Bun what it needs', () => {
  const unit = read('alliance.service')
  const valuesOf = (name: string) => [...unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value]) => value)
  expect(valuesOf('ReadWritePaths')).toEqual(['/var/lib/alliance/data'])
  expect(valuesOf('ProtectSystem')).toEqual(['strict'])
  expect(valuesOf('NoNewPrivileges')).toEqual(['yes'])
  expect(valuesOf('ExecStart')).toEqual(['/opt/alliance/current/bin/alliance-server'])
  // They stop a program that compiles as it runs.
  for (const name of ['MemoryDenyWriteExecute', 'LimitAS']) expect(valuesOf(name)).toEqual([])
})

const Site = v.looseObject({
  environment: v.record(v.string(), v.string()),
  read_only: v.literal(true),
  networks: v.object({ front: v.object({ ipv4_address: v.string() }) }),
})
const Compose = v.looseObject({
  services: v.object({
    site: Site,
    next: Site,
    caddy: v.looseObject({
      build: v.object({ context: v.literal('.'), target: v.string() }),
      read_only: v.literal(true),
      networks: v.object({ front: v.object({ ipv4_address: v.string() }) }),
    }),
  }),
})

test('compose builds its own proxy and trusts no other, and it knows both servers of an update', () => {
  const { services } = v.parse(Compose, Bun.YAML.parse(read('compose.yml')))
  expect(services.site.environment.TRUSTED_PROXIES).toBe(services.caddy.networks.front.ipv4_address)
  expect(read('Dockerfile')).toContain(` AS ${services.caddy.build.target}\n`)
  // What waits, and what's shown where nothing answers. The container's has a second server to send to, during an update.
  const ofContainer = read('Caddyfile').replace('/opt/alliance/current/deploy', '/srv')
  for (const part of [/transport http \{[\s\S]*?\n\t\t\}/, /handle_errors \{[\s\S]*?\n\t\}/, /lb_try_\w+ .*/g])
    for (const same of ofContainer.match(part) ?? ['missing']) expect(read('container.Caddyfile')).toContain(same)
  const addresses = [services.site, services.next].map(({ networks }) => networks.front.ipv4_address)
  expect(read('container.Caddyfile')).toContain(`reverse_proxy ${addresses.map((one) => `${one}:3000`).join(' ')} {`)
  expect(read('update.sh')).toContain(`hand_over site next ${addresses[1]} `)
  expect(read('update.sh')).toContain(`hand_over next site ${addresses[0]} `)
  expect(services.next).toEqual({
    ...services.site,
    profiles: ['update'],
    restart: 'no',
    networks: services.next.networks,
    mac_address: services.next.mac_address,
  })
  expect(services.site.environment.TAKES_OVER).toBe('1')
})

test('the guide’s .env of a demo in a container is one that starts', () => {
  const [, block = ''] = /cat > \.env <<END\n([\s\S]*?)END\n/.exec(readFileSync('docs/hosting.md', 'utf8')) ?? []
  const given = parseEnv(block.replace('$(openssl rand -base64 48)', 'x'.repeat(64)))
  const { services } = v.parse(Compose, Bun.YAML.parse(read('compose.yml')))
  const settings = readSettings({ ...given, ...services.site.environment, DATA_DIR: '/data/site' })
  expect(settings).toMatchObject({ isSandbox: true, isProduction: true, publicUrl: `https://${given.SITE_HOST}` })
})

test('the image runs as nobody special, asks whether it’s ready, and gets its stop', () => {
  const site = read('Dockerfile').split(/^FROM .* AS site$/m)[1] ?? ''
  expect(site).toMatch(/^USER alliance$/m)
  expect(site).toMatch(/^VOLUME \/data$/m)
  expect(site).toMatch(/^HEALTHCHECK .*CMD \["\/opt\/alliance\/bin\/alliance-ready"\]$/m)
  expect(site).toMatch(/^ENTRYPOINT \["\/opt\/alliance\/bin\/alliance-server"\]$/m)
  for (const name of ['alliance', 'alliance-server', 'alliance-ready']) {
    expect(statSync(`deploy/bin/${name}`).mode & 0o111).not.toBe(0)
    expect(read(`bin/${name}`)).toContain('as_site "$release/bin/bun"')
  }
})

test('root’s takeover starts the site, unless it was only planned or didn’t work', { tags: ['full'] }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'alliance-bin-'))
  mkdirSync(join(folder, 'bin'))
  const write = (name: string, text: string) => writeFileSync(join(folder, 'bin', name), text, { mode: 0o755 })
  for (const name of ['alliance', 'site']) write(name, read(`bin/${name}`))
  write('bun', '#!/bin/sh\ncase "$*" in *site-9*) exit 1 ;; esac\necho ran $ALLIANCE_STARTS\n')
  write('id', '#!/bin/sh\necho 0\n')
  write('setpriv', '#!/bin/sh\nwhile [ "$1" != -- ]; do shift; done\nshift\nexec "$@"\n')
  write('systemctl', '#!/bin/sh\necho "systemctl $*"\n')
  const env = { PATH: `${folder}/bin:${process.env.PATH}`, ALLIANCE_SITE: folder }
  const run = (...argv: string[]) => Bun.spawnSync([`${folder}/bin/alliance`, ...argv], { env }).stdout.toString()
  expect(run('takeover', '--yes')).toBe('ran 1\nsystemctl enable --now alliance\n')
  expect(run('takeover', '--dry-run')).toBe('ran\n')
  expect(run('takeover', '--from', 'site-9')).toBe('')
  expect(run('mrr')).toBe('ran\n')
  rmSync(folder, { recursive: true })
})

test('shell files are valid for any sh', () => {
  const files = [
    ...readdirSync('deploy/bin').map((name) => `deploy/bin/${name}`),
    'deploy/update.sh',
    'scripts/install.sh',
  ]
  for (const file of files) expect([file, Bun.spawnSync(['sh', '-n', file]).stderr.toString()]).toEqual([file, ''])
})

test('the container’s update backs up first, and goes back to the tag that ran if the new one isn’t ready', {
  tags: ['full'],
}, () => {
  const folder = mkdtempSync(join(tmpdir(), 'alliance-deploy-'))
  const env = join(folder, '.env')
  writeFileSync(join(folder, 'update.sh'), read('update.sh'))
  writeFileSync(env, 'SITE_HOST=alliance.example\nALLIANCE_TAG=one\n')
  // Answers as compose does: the tag “broken” never gets ready, Caddy never reaches the tag “apart”, and “ended” ends once it's asked.
  const said = join(folder, 'said')
  const answers = [
    `logs*) echo 'waiting for the server before'; exit ;;`,
    `*backup*) test -e ${folder}/full || echo '{"file": "…"}'; exit 1 ;;`,
    `*alliance-ready) ! grep -qE '=(broken|ended)' ${env} ;;`,
    `ps*exited*) ! grep -q '=ended' ${env} || echo next ;;`,
    `*tcp*) ! grep -q '=apart' ${env} ;;`,
    // The terminal that it runs in is closed.
    `'stop site') kill -HUP $PPID ;;`,
  ]
  writeFileSync(join(folder, 'compose'), `shift 2\necho "$*" >> ${said}\ncase "$*" in ${answers.join(' ')} esac\n`)
  const update = (tag: string, PATIENCE = '1') =>
    Bun.spawnSync(['sh', join(folder, 'update.sh'), tag], {
      env: { PATH: process.env.PATH, COMPOSE: `sh ${join(folder, 'compose')}`, PATIENCE },
    })
  expect([update('two').exitCode, readFileSync(env, 'utf8')]).toEqual([
    0,
    'SITE_HOST=alliance.example\nALLIANCE_TAG=two\n',
  ])
  const steps = readFileSync(said, 'utf8').split('\n')
  expect(steps[0]).toMatch(/^exec -T site alliance backup create/)
  // Each is stopped once the other waits for it, and nothing of the update is left running.
  expect(steps.filter((step) => /^(up|logs|stop|rm)/.test(step))).toEqual([
    'up -d --no-deps --force-recreate next',
    'logs --no-log-prefix --tail 20 next',
    'stop site',
    'up -d --no-deps --force-recreate site',
    'logs --no-log-prefix --tail 20 site',
    'stop next',
    'rm --stop --force next',
  ])
  writeFileSync(join(folder, 'full'), '')
  expect(update('three')).toMatchObject({
    exitCode: 1,
    stderr: Buffer.from('There’s no backup, so we didn’t update.\n'),
  })
  rmSync(join(folder, 'full'))
  for (const tag of ['broken', 'apart']) {
    const failed = update(tag)
    expect([tag, failed.exitCode, failed.stderr.toString()]).toEqual([
      tag,
      1,
      expect.stringMatching(/go back to two\. .*\nwaiting for the server before\n/),
    ])
    expect(readFileSync(env, 'utf8')).toContain('ALLIANCE_TAG=two\n')
  }
  // Who has ended isn't waited for.
  writeFileSync(said, '')
  expect(update('ended', '20').exitCode).toBe(1)
  expect(readFileSync(said, 'utf8').match(/next alliance-ready/g)).toHaveLength(1)
  rmSync(folder, { recursive: true })
})

test('the container’s update writes its settings where nobody else reads them, also over a file left behind', () => {
  const folder = mkdtempSync(join(tmpdir(), 'alliance-deploy-'))
  writeFileSync(join(folder, 'update.sh'), read('update.sh'))
  writeFileSync(join(folder, '.env'), 'SESSION_SECRET=secret\nALLIANCE_TAG=one\n', { mode: 0o600 })
  writeFileSync(join(folder, '.env.new'), 'left behind', { mode: 0o644 })
  mkdirSync(join(folder, 'bin'))
  // Looks while the file is being written, and before any other step.
  writeFileSync(
    join(folder, 'bin/grep'),
    `#!/bin/sh\nstat -c %a .env.new >> ${folder}/modes\nexec ${Bun.which('grep')} "$@"\n`,
    {
      mode: 0o755,
    },
  )
  writeFileSync(join(folder, 'compose'), `echo '{"file": "…"}'\necho 'waiting for the server before'\n`)
  const { exitCode } = Bun.spawnSync(['sh', '-c', `umask 022; exec sh ${folder}/update.sh two`], {
    env: { PATH: `${folder}/bin:${process.env.PATH}`, COMPOSE: `sh ${folder}/compose` },
  })
  const modes = readFileSync(join(folder, 'modes'), 'utf8').trim().split('\n')
  expect([exitCode, modes.at(-1), statSync(join(folder, '.env')).mode & 0o777]).toEqual([0, '600', 0o600])
  rmSync(folder, { recursive: true })
})

test('cron’s lines call commands there are', async () => {
  const lines = read('alliance.cron')
    .split('\n')
    .filter((line) => /^\d/.test(line))
  expect(lines.length).toBeGreaterThan(1)
  for (const line of lines) {
    const [, command = ''] = /^(?:\S+ +){6}alliance ([^>|]*)/.exec(line) ?? []
    expect([line, (await runCommand([...command.trim().split(' '), '--help'], {})).code]).toEqual([line, 0])
  }
})

test('behind the trusted proxy, wrong logins from one address don’t count for another', {
  tags: ['full'],
}, async () => {
  const { world, close } = await startServer()
  world.ctx.settings.trustedProxies.push('127.0.0.1')
  const url = `http://127.0.0.1:${world.wholeApp().server?.port}/api/auth/login`
  const logIn = async (address: string, at: number) => {
    const body = JSON.stringify({ email: `no-one-${at}@example.com`, password: 'not-the-password' })
    const headers = { 'content-type': 'application/json', 'x-forwarded-for': address }
    return (await fetch(url, { method: 'POST', headers, body })).status
  }
  const statuses: number[] = []
  for (let at = 0; at < 200 && statuses.at(-1) !== 429; at += 1) statuses.push(await logIn('203.0.113.1', at))
  expect(statuses.at(-1)).toBe(429)
  expect(await logIn('203.0.113.2', 500)).toBe(401)
  expect(await logIn('203.0.113.1', 501)).toBe(429)
  close()
})
