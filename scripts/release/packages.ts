import { cpSync, existsSync, lstatSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { dirname, join, relative } from 'node:path'
import * as v from 'valibot'
import { projectFolder } from '#api/project.ts'

const PackageFile = v.looseObject({
  name: v.string(),
  version: v.string(),
  license: v.optional(v.unknown()),
  dependencies: v.optional(v.record(v.string(), v.string()), {}),
})
export type Package = { name: string; version: string; license: string; place: string }

const modules = join(projectFolder, 'node_modules')

/** The packages built programs still load from beside them, read from the programs themselves so that none is forgotten. */
export function packagesBesidePrograms(): string[] {
  const scan = new Bun.Transpiler({ loader: 'js' })
  const loaded = new Set<string>()
  for (const folder of ['dist', 'pwa/dist/server']) {
    for (const file of readdirSync(join(projectFolder, folder), { recursive: true, encoding: 'utf8' })) {
      if (!file.endsWith('.js')) continue
      const text = readFileSync(join(projectFolder, folder, file), 'utf8')
      const required = text.matchAll(/\b(?:require\w*|resolve)\(["'](@?[\w-]+(?:\/[\w.-]+)*)["']\)/g)
      for (const path of [
        ...scan.scanImports(text).map((one) => one.path),
        ...[...required].map(([, one = '']) => one),
      ])
        loaded.add(packageOf(path))
    }
  }
  return [...loaded].filter(
    (name) => /^[@\w]/.test(name) && !isBuiltin(name) && existsSync(join(modules, name, 'package.json')),
  )
}

const packageOf = (path: string) =>
  path
    .split('/')
    .slice(0, path.startsWith('@') ? 2 : 1)
    .join('/')

/** These packages with all they need, each by its place below `node_modules`. */
export function withDependencies(names: readonly string[]): Package[] {
  const found = new Map<string, Package>()
  const visit = (name: string, from: string) => {
    const folder = findPackage(name, from)
    // What's optional, such as a type package, needn't be there.
    if (folder === null || found.has(folder)) return
    const { version, license, dependencies, ...file } = readPackage(folder)
    found.set(folder, { name: file.name, version, license: licenceOf(license), place: relative(modules, folder) })
    for (const dependency of Object.keys(dependencies)) visit(dependency, folder)
  }
  for (const name of names) visit(name, projectFolder)
  return [...found.values()].sort((one, other) => (one.place < other.place ? -1 : 1))
}

const readPackage = (folder: string) =>
  v.parse(PackageFile, JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')))

const licenceOf = (license: unknown): string =>
  typeof license === 'string'
    ? license
    : ((v.safeParse(v.object({ type: v.string() }), license).output as { type?: string })?.type ?? '')

/** As a program finds it: beside the package that asks, or above. */
function findPackage(name: string, from: string): string | null {
  const folder = join(from, 'node_modules', name)
  if (existsSync(join(folder, 'package.json'))) return folder
  return from === projectFolder ? null : findPackage(name, dirname(from))
}

/** What no program reads: types, maps, sources of native code, tests and pages about the package. */
const unread =
  /\.(d\.[cm]?ts|[cm]?ts|tsx|map|md|markdown|flow|h|c|cc|cpp|gyp|gypi|yml|yaml)$|^(\.|(tests?|__tests__|docs?|examples?|benchmarks?|tools|types)(\/|$))/i
const unreadOf: Readonly<Record<string, RegExp>> = {
  'better-sqlite3': /^(deps|src)(\/|$)/,
  pdfkit: /^js\/[^/]*(browser|standalone|old)/,
  fontkit: /^(src|dist\/browser)/,
  '@swc/helpers': /^(_|src|scripts)(\/|$)/,
  '@zxcvbn-ts/language-common': /^(src(\/|$)|dist\/zxcvbn-ts\.js)/,
  brotli: /^(build|enc|compress)/,
  pako: /^dist(\/|$)/,
  dayjs: /^(esm|locale)(\/|$)/,
  // Calls are in London's time.
  '@touch4it/ical-timezones': /^zones\/(?!Europe(\/|$))/,
  // Only its migrator runs from here; what queries is in the bundles.
  'drizzle-orm': /^(?!package\.json$|migrator\.|LICENSE)/,
  'dejavu-fonts-ttf': /^(?!package\.json$|LICENSE|ttf$|ttf\/DejaVuSans(-Bold)?\.ttf$)/,
  '@expo-google-fonts/archivo': /^(?!package\.json$|LICENSE|(400Regular|700Bold)(\/|$))/,
}
const isLicence = (path: string) => /(^|\/)(licen[cs]e|copying|notice)[^/]*$/i.test(path)

type Copied = { name: string; place: string; from?: string; arch: string }

/** Copies a package without what no program reads, and without the packages inside it, which have places of their own. */
export function copyPackage(into: string, { name, place, arch, from = join(modules, place) }: Copied): void {
  const own = unreadOf[name]
  const folder = realpathSync(from)
  cpSync(folder, join(into, place), {
    recursive: true,
    filter(source) {
      const path = relative(folder, source)
      if (path === '' || isLicence(path)) return true
      if (lstatSync(source).isSymbolicLink() || path === 'node_modules') return false
      const isOfOtherMachine = path.startsWith('prebuilds/') && path !== `prebuilds/linux-${arch}.node`
      return !isOfOtherMachine && !unread.test(path) && !own?.test(path)
    },
  })
}
