// @module-tag full
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

let folder: string
const at = (path: string) => join(folder, path)
const read = (path: string) => readFileSync(at(path), 'utf8')
function write(path: string, text: string): void {
  mkdirSync(join(at(path), '..'), { recursive: true })
  writeFileSync(at(path), text, { mode: 0o755 })
}
/** A program that only writes down how it was called. */
const logs = (name: string, then = '') => write(`bin/${name}`, `#!/bin/sh\necho "${name} $*" >> ${at('said')}\n${then}`)
const settings = 'var/lib/alliance/.env'
/** What the site's own setup does, on a machine where its answers are known. */
const setUp = (...lines: string[]) => write(settings, lines.map((line) => `${line}\n`).join(''))
const others = 'other.example {\n\trespond hello\n}'

const pack = () => void Bun.spawnSync(['tar', '-czf', at('one.tar.gz'), '-C', folder, 'alliance-1'])

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'alliance-install-'))
  // Whatever else this machine has, it's a new server: no proxy, no cron.
  mkdirSync(at('tools'))
  for (const tool of [
    'sh',
    'cat',
    'chmod',
    'cp',
    'dirname',
    'find',
    'grep',
    'gzip',
    'ln',
    'mkdir',
    'mktemp',
    'mv',
    'rm',
    'sed',
    'tail',
    'tar',
  ])
    symlinkSync(Bun.which(tool) ?? '', at(`tools/${tool}`))
  logs('systemctl', `case $1 in is-active) [ -e ${at('started')} ] ;; enable) : > ${at('started')} ;; esac`)
  for (const name of ['apt-get', 'caddy', 'crontab', 'nginx', 'useradd']) logs(name)
  write('bin/id', '#!/bin/sh\necho 0\n')
  write('bin/install', '#!/bin/sh\nfor last; do :; done\nmkdir -p "$last"\n')
  mkdirSync(at('run/systemd/system'), { recursive: true })
  write('alliance-1/bin/alliance', `#!/bin/sh\necho "alliance $*" >> ${at('said')}\n`)
  write('alliance-1/bin/bun', '#!/bin/sh\n')
  write('alliance-1/release.json', '{ "name": "1" }')
  Bun.spawnSync(['cp', '-r', 'deploy', at('alliance-1/deploy')])
  pack()
  write('etc/caddy/Caddyfile', others)
})
afterEach(() => rmSync(folder, { recursive: true }))

function install(...argv: string[]) {
  writeFileSync(at('said'), '')
  const { exitCode, stdout, stderr } = Bun.spawnSync(['sh', 'scripts/install.sh', at('one.tar.gz'), '--yes', ...argv], {
    env: { PATH: `${at('bin')}:${at('tools')}`, ALLIANCE_PREFIX: folder },
  })
  return { code: exitCode, out: stdout.toString(), err: stderr.toString(), said: read('said') }
}

test('the installer checks the domain last, leaves other sites’ blocks alone, and starts what’s set up later, but no second machine', () => {
  const unset = install()
  expect(unset.said).toBe('alliance setup --skip domain --quiet\nsystemctl daemon-reload\n')
  expect(unset.out).toMatch(/Not set up yet\. Run: sudo alliance setup --skip domain\. Then run this again\.\n$/)
  setUp('PUBLIC_URL=https://bench.example')
  const first = install()
  expect(first.said).toMatch(
    /^systemctl reload-or-restart caddy\nsystemctl is-active.*\nsystemctl enable --now alliance\nsystemctl is-active.*\n$/,
  )
  expect(first.out).toMatch(/\nDone\. See what’s missing: sudo alliance doctor\n$/)
  expect(first.out).not.toContain('isn’t started')
  install()
  expect(read('etc/caddy/Caddyfile')).toBe(`${others}\nimport /etc/caddy/alliance.caddy\n`)
  const ours = readFileSync('deploy/Caddyfile', 'utf8').replace('alliance.example', 'bench.example')
  expect(read('etc/caddy/alliance.caddy')).toBe(ours)
  const withNginx = install('--proxy', 'nginx')
  expect(withNginx.said).not.toContain('reload-or-restart')
  expect(withNginx.out).toContain('certbot certonly --standalone -d bench.example')
  rmSync(at('started'))
  setUp('PUBLIC_URL=https://bench.example', 'LITESTREAM_URL=s3://bucket/alliance')
  const second = install()
  expect([second.said, second.out]).toEqual([
    expect.not.stringContaining('enable'),
    expect.stringContaining('take over from another machine: sudo alliance takeover'),
  ])
  expect(install('--help').out).toMatch(/^Installs a release.*\n[\s\S]*sudo sh install\.sh \S+ \[--signers FILE\]/)
})

test.each([
  ['caddy', 'etc/caddy/alliance.caddy'],
  ['nginx', 'etc/nginx/conf.d/alliance.conf'],
])('the port that .env names is in %s’s file, also when it’s changed later', (proxy, file) => {
  setUp('PUBLIC_URL=https://bench.example', 'PORT=3100')
  install('--proxy', proxy)
  expect(read(file)).toContain('127.0.0.1:3100')
  expect(read(file)).not.toContain('127.0.0.1:3000')
  const before = read(file)
  expect(install('--proxy', proxy).out).not.toContain('Change the port')
  setUp('PUBLIC_URL=https://bench.example', "PORT='310'")
  expect(install('--proxy', proxy).out).toContain(`Change the port in ${at(file)} to 310, as in .env?\n`)
  expect(read(file)).toBe(before.replaceAll('3100', '310'))
  setUp('PUBLIC_URL=https://bench.example')
  const back = install('--proxy', proxy)
  expect(back.said.includes('reload-or-restart caddy')).toBe(proxy === 'caddy')
  expect(read(file)).toBe(before.replaceAll('3100', '3000'))
})

test('without cron it’s installed, or the end says how; without systemd the end says how the site is started', () => {
  setUp('PUBLIC_URL=https://bench.example')
  rmSync(at('bin/crontab'))
  rmSync(at('run'), { recursive: true })
  // A mirror that can't be reached.
  logs('apt-get', 'exit 100')
  const { out, said } = install()
  expect(said).toContain('apt-get update')
  expect(out).toContain('\nNo cron here, so its lines don’t run: sudo apt install cron\n')
  const start = `sudo ${at('opt/alliance/current/bin/alliance-server')}`
  expect(out).toContain(`\nThe site isn’t started. Start it: ${start} (there’s no systemd here)\n`)
  logs('apt-get', `[ "$*" != "install -qy cron" ] || : > ${at('bin/crontab')}; chmod 755 ${at('bin')}/*`)
  const again = install()
  expect(again.said).toContain('apt-get install -qy cron')
  expect(again.out).not.toContain('No cron')
  expect(install().said).not.toContain('apt-get')
})

const unpacked = () => readdirSync(at('opt/alliance/releases'))

test('what was checked is what’s unpacked, and of that no file runs as its owner or can be changed by others', () => {
  Bun.spawnSync(['chmod', '6777', at('alliance-1/bin/alliance')])
  pack()
  // Another release takes the file's place while its signature is checked. The checked one waits where only root may write.
  write('other/bin/alliance', '#!/bin/sh\necho evil\n')
  write('other/bin/bun', '#!/bin/sh\n')
  write('other/release.json', '{ "name": "1" }')
  Bun.spawnSync(['tar', '-czf', at('other.tar.gz'), '-C', folder, 'other'])
  const signed = at('one.tar.gz.sig')
  logs(
    'ssh-keygen',
    `while [ "$1" != -s ]; do shift; done\ncat "$2" >> ${at('said')}\ncp ${at('other.tar.gz')} ${at('one.tar.gz')}\n`,
  )
  writeFileSync(signed, 'its signature\n')
  const { code, said } = install('--signers', at('signers'))
  expect([code, said]).toEqual([0, expect.stringMatching(/^ssh-keygen -Y verify .*\nits signature\n/)])
  expect(unpacked()).toEqual(['1'])
  const program = at('opt/alliance/releases/1/bin/alliance')
  expect(readFileSync(program, 'utf8')).not.toContain('evil')
  expect((statSync(program).mode & 0o7777).toString(8)).toBe('755')
  expect((statSync(at('opt/alliance/releases/1')).mode & 0o7777).toString(8)).toBe('755')
})

test.each(['../../../../tmp', '..', '.', '.hidden', 'a/b', '1..2', '-rf', '1;id', ''])(
  'a release called “%s” is not installed',
  (name) => {
    write('alliance-1/release.json', JSON.stringify({ name }))
    pack()
    const { code, err } = install()
    expect([code, err]).toEqual([1, `This release is called “${name}”, which can’t be a folder’s name.\n`])
    expect([unpacked(), existsSync(at('opt/alliance/current'))]).toEqual([[], false])
  },
)

test.each([
  'https://bench.example { respond hello }',
  'https://bench.example;include',
  'https://bench.example\\n',
  'https://bench.example&',
  'https://user@bench.example',
  'https://-rf',
  'https://bench.example\nPUBLIC_URL=https://two.example {',
])('a site with the address %j gets no proxy file', (address) => {
  setUp(`PUBLIC_URL=${address}`)
  for (const proxy of ['caddy', 'nginx']) {
    const { code, err } = install('--proxy', proxy)
    expect([code, err]).toEqual([1, expect.stringContaining('isn’t a host name')])
  }
  expect([existsSync(at('etc/caddy/alliance.caddy')), existsSync(at('etc/nginx'))]).toEqual([false, false])
})

test.each([
  '"https://bench.example"',
  "'https://bench.example/'",
  'https://bench.example   # ours',
  'https://old.example\nPUBLIC_URL=https://bench.example',
])('the host of %j is the one in the proxy’s file', (address) => {
  setUp(`PUBLIC_URL=${address}`)
  install()
  expect(read('etc/caddy/alliance.caddy')).toMatch(/^bench\.example \{$/m)
})

test.each([1, 2, 3, 4])('settings that change after they’re read %i times get into no file of root’s', (times) => {
  setUp('PUBLIC_URL=https://bench.example', 'PORT=3100')
  const evil = 'PUBLIC_URL=https://evil.test { respond owned; } x\nPORT=1'
  for (const tool of ['cat', 'sed', 'grep'])
    write(
      `bin/${tool}`,
      `#!/bin/sh
      ${at(`tools/${tool}`)} "$@"
      code=$?
      case "$*" in
        *${at(settings)}*) echo >> ${at('reads')}; [ "$(wc -l < ${at('reads')})" -lt ${times} ] || printf '${evil}\n' > ${at(settings)} ;;
      esac
      exit $code`,
    )
  symlinkSync(Bun.which('wc') ?? '', at('tools/wc'))
  for (const [proxy, file] of [
    ['caddy', 'etc/caddy/alliance.caddy'],
    ['nginx', 'etc/nginx/conf.d/alliance.conf'],
  ] as const) {
    setUp('PUBLIC_URL=https://bench.example', 'PORT=3100')
    rmSync(at('reads'), { force: true })
    const { code, out } = install('--proxy', proxy)
    expect([code, out]).toEqual([0, expect.not.stringContaining('evil')])
    expect(read(file)).toContain('bench.example')
    expect(read(file)).toContain('127.0.0.1:3100')
    expect(read(file)).not.toMatch(/evil|127\.0\.0\.1:1\b/)
  }
})

test.each([
  ['www.my-good.example.com {\n}', true],
  ['good-example {\n}', true],
  ['goodXexample {\n}', true],
  ['# good.example {\n}', true],
  ['xgood.example, good.example.org {\n}', true],
  ['www.good.example, good.example {\n}', false],
  ['https://Good.Example:443 {\n}', false],
])('beside a Caddyfile with %j, good.example gets a proxy file: %j', (lines, gets) => {
  setUp('PUBLIC_URL=https://good.example')
  write('etc/caddy/Caddyfile', lines)
  const { out } = install()
  expect(existsSync(at('etc/caddy/alliance.caddy'))).toBe(gets)
  expect(
    out.includes(`good.example is in ${at('etc/caddy/Caddyfile')} already, so we left the proxy as it is.\n`),
  ).toBe(!gets)
})
