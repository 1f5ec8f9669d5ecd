import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import * as v from 'valibot'
import { projectFolder } from '#api/project.ts'
import { Release } from '#shared/contract/release.ts'

const target = process.arch === 'arm64' ? 'linux-arm64' : 'linux-x64'

function run(command: string[], options: { cwd?: string; env?: Record<string, string | undefined> } = {}): string {
  const { success, stdout, stderr } = Bun.spawnSync(command, options)
  if (!success) throw new Error(`${command.join(' ')}: ${stderr}`)
  return stdout.toString()
}

export type Made = { archive: string; release: Release }
export type Workshop = {
  folder: string
  /** The first one, unpacked. */
  unpacked: string
  first: Made
  /** The same release with another time, and with what `change` does to its folder. */
  variant(second: number, change?: (folder: string) => void, key?: string): Made
  close(): void
}

/** Makes a release of what's here, as `npm run release` does. */
export function openWorkshop(): Workshop {
  const folder = mkdtempSync(join(tmpdir(), 'alliance-releases-'))
  const key = join(folder, 'key')
  const flags = ['--target', target, '--out', folder, '--key', key]
  const out = run([process.execPath, '--no-env-file', 'scripts/release.ts', ...flags], {
    cwd: projectFolder,
    env: { ...process.env, SOURCE_DATE_EPOCH: String(Date.UTC(2026, 5, 12, 7, 40) / 1000) },
  })
  const archive = /^\S+\.tar\.gz$/m.exec(out)?.[0] ?? ''
  const unpacked = join(folder, 'unpacked')
  mkdirSync(unpacked)
  run(['tar', '-xzf', archive, '-C', unpacked, '--strip-components=1'])
  const read = () => v.parse(Release, JSON.parse(readFileSync(join(unpacked, 'release.json'), 'utf8')))
  const first = { archive, release: read() }
  return {
    folder,
    unpacked,
    first,
    variant(second, change = () => {}, signedBy = key) {
      const madeAt = new Date(Date.UTC(2026, 5, 12, 7, 40, second)).toISOString()
      const release = {
        ...first.release,
        madeAt,
        name: `${first.release.version}-${madeAt.slice(0, 19).replace(/\D/g, '')}`,
      }
      const copy = join(folder, `alliance-${release.name}`)
      // Linked where nothing changes: a release is 180 MB.
      run(['cp', '-al', unpacked, copy])
      replaceFile(join(copy, 'release.json'), JSON.stringify(release))
      change(copy)
      const made = join(folder, `${release.name}.tar.gz`)
      const tar = join(folder, `${release.name}.tar`)
      run(['tar', '-cf', tar, '-C', folder, `alliance-${release.name}`])
      // Packing and unpacking it small would cost seconds each time. The first one is.
      writeFileSync(made, gzipSync(readFileSync(tar), { level: 0 }))
      rmSync(tar)
      rmSync(`${made}.sig`, { force: true })
      run(['ssh-keygen', '-q', '-Y', 'sign', '-f', signedBy, '-n', 'alliance-release', made])
      return { archive: made, release }
    },
    close: () => rmSync(folder, { recursive: true }),
  }
}

/** Not into the file, which other folders are linked to. */
export function replaceFile(file: string, text: string): void {
  rmSync(file, { force: true })
  writeFileSync(file, text)
}

const Journal = v.looseObject({ entries: v.array(v.looseObject({ idx: v.number(), when: v.number() })) })

/** Adds a migration to an unpacked release. */
export function addMigration(folder: string, sql: string): void {
  const file = join(folder, 'data/migrations/meta/_journal.json')
  const journal = v.parse(Journal, JSON.parse(readFileSync(file, 'utf8')))
  const last = journal.entries.at(-1)
  const entry = { ...last, idx: (last?.idx ?? 0) + 1, when: (last?.when ?? 0) + 1000, tag: '9999_tried' }
  replaceFile(file, JSON.stringify({ ...journal, entries: [...journal.entries, entry] }))
  replaceFile(join(folder, 'data/migrations/9999_tried.sql'), sql)
}

/**
 * What systemd does for the server, for machines that have none. It knows `start`, `stop`, `is-active` and `show`. A program that has ended
 * stays listed until its parent looks, but has no file any more. Where there's a file `cut`, the next stop is as one cut off by Ctrl-C.
 */
const systemctl = (root: string) => `#!/bin/sh
pid=$(cat '${root}/pid' 2> /dev/null || true)
case $1 in
  start) setsid '${root}/current/bin/alliance-server' >> '${root}/log' 2>&1 < /dev/null & echo $! > '${root}/pid' ;;
  stop) [ -z "$pid" ] || { kill "$pid"; while readlink "/proc/$pid/exe"; do sleep 0.02; done; rm '${root}/pid'; } > /dev/null 2>&1; ! rm '${root}/cut' 2> /dev/null ;;
  show) echo 'ReadWritePaths=${root}/data/data' ;;
  is-active) readlink "/proc/$pid/exe" > /dev/null ;;
esac
exit $?
`

export type InstalledSite = {
  root: string
  url: string
  alliance(...argv: string[]): Promise<{ code: number; out: string; err: string }>
  systemctl(verb: 'start' | 'stop'): void
  log(): string
  close(): void
}

/** A site as the installer lays it out, served by the workshop's first release and run by this user. */
export function installSite({ unpacked, first: { release } }: Workshop, port: number): InstalledSite {
  const root = mkdtempSync(join(tmpdir(), 'alliance-installed-'))
  const [place, bin, site] = [join(root, 'releases', release.name), join(root, 'bin'), join(root, 'data')]
  for (const folder of [join(root, 'releases'), bin, site]) mkdirSync(folder, { recursive: true })
  run(['cp', '-al', unpacked, place])
  symlinkSync(join('releases', release.name), join(root, 'current'))
  symlinkSync('data', join(root, 'site'))
  const options = {
    PORT: port,
    SANDBOX_PORT: port + 1,
    PUBLIC_URL: `http://localhost:${port}`,
    HOST: '127.0.0.1',
    API_DOCS: 1,
  }
  writeFileSync(
    join(site, '.env'),
    Object.entries(options)
      .map((pair) => `${pair.join('=')}\n`)
      .join(''),
  )
  writeFileSync(join(bin, 'systemctl'), systemctl(root), { mode: 0o755 })
  const env = { PATH: `${bin}:/usr/sbin:/usr/bin:/sbin:/bin`, HOME: root }
  return {
    root,
    url: `http://127.0.0.1:${port}`,
    async alliance(...argv) {
      const child = Bun.spawn([join(root, 'current/bin/alliance'), ...argv], {
        env,
        stdout: 'pipe',
        stderr: 'pipe',
        cwd: root,
      })
      const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
      return { code: await child.exited, out, err }
    },
    systemctl: (verb) => void run([join(bin, 'systemctl'), verb, 'alliance'], { env }),
    log: () => readFileSync(join(root, 'log'), 'utf8'),
    close() {
      run([join(bin, 'systemctl'), 'stop', 'alliance'], { env })
      rmSync(root, { recursive: true })
    },
  }
}
