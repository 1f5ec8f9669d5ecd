import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as v from 'valibot'
import { programFolder, projectFolder } from '#api/project.ts'
import { compiledInk, inkPlugin, loadedInk } from './ink.ts'

const programs = [
  'api/main.ts',
  'cli/main.ts',
  'api/documents/pdf-worker.ts',
  'api/pictures/decoder.ts',
  'api/intake/reader.ts',
  'api/db/copy-worker.ts',
  'api/db/integrity-worker.ts',
  'api/stripe/sdk.ts',
]

/** Packages the programs share. Each is compiled to its own file. */
const compiledPackages = ['elysia', 'commander']

/** What makes the API's documentation, in a file of its own: it asks for a package that a release has only inside other files. */
const docsPackage = '@valibot/to-json-schema'

/** All of the API except the sandbox, for server and terminal. It finds our folders through `project`, which stays separate. */
const compiledApi = 'api/compiled.ts'
/** Separate, because only a server without real money starts it. */
const compiledSandbox = 'api/sandbox/server.ts'
const project = 'api/project.ts'

const filesList = join(programFolder, 'files.json')

/**
 * Bundles the server and the terminal, keeping rarely used code in separate files. A running server still loads files of its own
 * build, so those stay until the build after the next.
 *
 * What each start loads has bytecode, because parsing it takes longer than running it. Bytecode needs CommonJS, and the file has
 * a copy of its imports.
 */
export async function buildPrograms(): Promise<void> {
  // Loads the whole API, so only load it if there's something to build.
  await (await import('./feature-paths.ts')).writeFeaturePaths()
  const compiled = await Promise.all([
    ...compiledPackages.map((name) => compile(name, fileURLToPath(import.meta.resolve(name)))),
    compile('api', join(projectFolder, compiledApi), [
      ...[compiledPackagesPlugin, projectPlugin, compiledSandboxPlugin, docsPlugin],
    ]),
    compile('sandbox', join(projectFolder, compiledSandbox), [compiledPackagesPlugin, projectPlugin]),
    compile('ink-compiled', compiledInk.entry, [inkPlugin], compiledInk.changes),
  ])
  const uncompiled = await Promise.all([
    bundle('project', join(projectFolder, project)),
    bundle('ink', loadedInk.entry, loadedInk.changes),
    bundle('to-json-schema', fileURLToPath(import.meta.resolve(docsPackage)), { sourcemap: 'none' }),
  ])
  const { outputs: ours } = await Bun.build({
    ...options,
    entrypoints: programs.map((path) => join(projectFolder, path)),
    root: projectFolder,
    naming: { entry: '[dir]/[name].[ext]', chunk: 'chunks/[name]-[hash].[ext]' },
    splitting: true,
    plugins: [compiledPackagesPlugin, compiledApiPlugin, compiledInkPlugin, docsPlugin],
  })
  const outputs = [...compiled.flat(), ...uncompiled.flat(), ...ours]
  // Write a program after everything it loads.
  const isProgram = ({ kind }: Bun.BuildArtifact) => kind === 'entry-point'
  const inOrder = outputs.toSorted((one, other) => Number(isProgram(one)) - Number(isProgram(other)))
  for (const output of inOrder) writeWhole(join(programFolder, output.path), await contentOf(output))
  removeOldFiles(outputs.map(({ path }) => path))
}

const options = {
  target: 'bun',
  // Keep names: Elysia reads its handlers' source, and logs name errors by class.
  minify: { whitespace: true, syntax: true, identifiers: false },
  sourcemap: 'linked',
  define: { 'process.env.NODE_ENV': '"production"' },
  external: [
    // They load files relative to their own code. Ink's developer tools aren't installed.
    ...['better-sqlite3', 'pdfkit', 'fontkit', 'sharp', '@touch4it/ical-timezones', 'react-devtools-core'],
    // Loaded on first use, so starts read less, and the heap stays below the first garbage collection.
    ...['nodemailer', 'yazl', 'yauzl', '@zxcvbn-ts/language-common'],
    ...['file-type', 'ical-generator', '@simplewebauthn/server', 'otpauth', 'postal-mime', 'prom-client'],
  ],
} satisfies Partial<Bun.BuildConfig>

type Changes = Partial<
  Pick<Bun.BuildConfig, 'define' | 'files' | 'external' | 'sourcemap' | 'format' | 'bytecode' | 'plugins'>
>

async function bundle(name: string, entry: string, changes: Changes = {}): Promise<Bun.BuildArtifact[]> {
  const { outputs } = await Bun.build({
    ...options,
    ...changes,
    define: { ...options.define, ...changes.define },
    entrypoints: [entry],
    naming: `packages/${name}.[ext]`,
  })
  return outputs
}

const compile = (name: string, entry: string, plugins: Bun.BunPlugin[] = [], changes: Changes = {}) =>
  bundle(name, entry, { ...changes, plugins, format: 'cjs', bytecode: true })

/** Replaces it by the built file's name in `package.json`. */
const fromBuilt = (filter: RegExp, nameOf: (path: string) => string): Bun.BunPlugin => ({
  name: `built ${filter}`,
  setup: (build) => {
    build.onResolve({ filter }, ({ path }) => ({ path: `#packages/${nameOf(path)}`, external: true }))
  },
})

const compiledPackagesPlugin = fromBuilt(new RegExp(`^(${compiledPackages.join('|')})$`), (path) => path)
const compiledApiPlugin = fromBuilt(/^(#api|\.)\/compiled\.ts$/, () => 'api')
const compiledSandboxPlugin = fromBuilt(/^#api\/sandbox\/server\.ts$/, () => 'sandbox')
const compiledInkPlugin = fromBuilt(/^(ink|react|react\/jsx-runtime)$/, () => 'ink')
const docsPlugin = fromBuilt(new RegExp(`^${docsPackage}$`), () => 'to-json-schema')
const projectPlugin = fromBuilt(/^(#api|\.)\/project\.ts$/, () => 'project')

/** Writes atomically: a program starting now reads the old file or the new one. */
function writeWhole(file: string, content: string | Uint8Array): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(`${file}.new`, content)
  renameSync(`${file}.new`, file)
}

const SourceMap = v.looseObject({ sources: v.array(v.string()) })

/** Bun names sources relative to the current folder, but resolves them relative to the map's. */
async function contentOf(output: Bun.BuildArtifact): Promise<string | Uint8Array> {
  if (output.kind !== 'sourcemap') return new Uint8Array(await output.arrayBuffer())
  const map = v.parse(SourceMap, await output.json())
  const folder = dirname(join(programFolder, output.path))
  return JSON.stringify({ ...map, sources: map.sources.map((path) => relative(folder, resolve(path))) })
}

function removeOldFiles(written: string[]): void {
  const previous = existsSync(filesList)
    ? v.parse(v.array(v.string()), JSON.parse(readFileSync(filesList, 'utf8')))
    : []
  const kept = new Set([...written, ...previous].map((path) => join(programFolder, path)))
  for (const entry of readdirSync(programFolder, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name)
    if (/\.(js|jsc|map)$/.test(file) && entry.isFile() && !kept.has(file)) rmSync(file)
  }
  writeWhole(filesList, JSON.stringify(written))
}
