import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import * as v from 'valibot'
import { projectFolder } from '#api/project.ts'
import type { Release } from '#shared/contract/release.ts'
import { fetchPackage } from './fetch-package.ts'
import { readLock } from './lock-file.ts'
import { copyPackage, type Package, packagesBesidePrograms, withDependencies } from './packages.ts'
import { nativePackages, type Target } from './targets.ts'

/** What a release holds of this folder. The rest is for those who change the code. */
const parts = [
  'pwa/dist',
  'pwa/public',
  'data/content',
  'data/seed',
  'data/fonts',
  'data/migrations',
  'deploy',
  'docs',
  'LICENSE',
  '.env.example',
]

/** Stamps and lists of the build, drawings of migrations that only the generator reads. */
const isLeftOut = (path: string) =>
  /(^|\/)(stamp|chunks\.json)$|\.test\.ts$|^data\/migrations\/meta\/\d+_snapshot\.json$|^data\/seed\/.+\.ts$|^deploy\/bin(\/|$)|^docs\/(images|decisions|requirements\.)/.test(
    path,
  )

/** Only what the last build wrote: `dist` also keeps the one before, reports and screenshots. */
const Written = v.array(v.string())
const builtPrograms = () =>
  v
    .parse(Written, JSON.parse(readFileSync(join(projectFolder, 'dist/files.json'), 'utf8')))
    .map((path) => join('dist', path))

const PackageFile = v.looseObject({
  name: v.string(),
  version: v.string(),
  imports: v.record(v.string(), v.string()),
  dependencies: v.record(v.string(), v.string()),
})
export const readPackageFile = () =>
  v.parse(PackageFile, JSON.parse(readFileSync(join(projectFolder, 'package.json'), 'utf8')))

export type Native = { name: string; version: string; folder: string }

/** Bun and the native packages of the target, none of which has to be the one of this machine. */
export function nativeParts(target: Target): { bun: Native; packages: Native[] } {
  const lock = readLock()
  const fetched = (name: string): Native => {
    const locked = lock.get(name)
    if (locked === undefined) throw new Error(`${name} isn’t in bun.lock.`)
    return { name, version: locked.version, folder: fetchPackage(locked) }
  }
  return { bun: fetched(target.bun), packages: nativePackages(target).map(fetched) }
}

/** Lays a release out in a folder, and returns the packages beside the programs. */
export function layOut(
  folder: string,
  { target, release, signers }: { target: Target; release: Release; signers: string },
): Package[] {
  for (const part of parts) {
    cpSync(join(projectFolder, part), join(folder, part), {
      recursive: true,
      filter: (source) => !isLeftOut(source.slice(projectFolder.length + 1)),
    })
  }
  for (const path of builtPrograms()) copyFile(join(projectFolder, path), join(folder, path))
  const { bun, packages } = nativeParts(target)
  copyFile(join(bun.folder, 'bin/bun'), join(folder, 'bin/bun'))
  for (const name of ['alliance', 'alliance-server', 'alliance-ready', 'site'])
    copyFile(join(projectFolder, 'deploy/bin', name), join(folder, 'bin', name))
  const modules = join(folder, 'node_modules')
  const beside = withDependencies(packagesBesidePrograms())
  for (const { name, place } of beside) copyPackage(modules, { name, place, arch: target.arch })
  for (const { name, folder: from } of packages) copyPackage(modules, { name, place: name, from, arch: target.arch })
  const { name, version, imports } = readPackageFile()
  const packageFile = { name, version, private: true, type: 'module', imports }
  for (const [file, text] of [
    ['package.json', JSON.stringify(packageFile, null, 2)],
    ['release.json', JSON.stringify(release, null, 2)],
    ['allowed_signers', signers],
  ] as const)
    writeFileSync(join(folder, file), `${text.trim()}\n`)
  return beside
}

function copyFile(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true })
  cpSync(from, to)
}
