import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as v from 'valibot'
import { programFolder, projectFolder } from '#api/project.ts'

/** What is started or loaded by its path. */
const programs = [
  'api/main.ts',
  'cli/main.ts',
  'api/documents/pdf-worker.ts',
  'api/db/integrity-worker.ts',
  'api/stripe/sdk.ts',
]

/**
 * Packages that every start loads, each in a file of its own with its bytecode: parsing them takes longer than running them. Bytecode
 * needs CommonJS, and the file holds a copy of what the package needs, so it is for those that share nothing with others.
 */
const compiledPackages = ['elysia', 'commander']

/** Which files the last build wrote. */
const filesList = join(programFolder, 'files.json')

/**
 * Bundles the server and the terminal, split so that what is seldom needed stays in files of its own. A server that is
 * running still loads such files of its own build, so those stay until the build after the next.
 */
export async function buildPrograms(): Promise<void> {
  const packages = await Promise.all(compiledPackages.map(compilePackage))
  const { outputs: ours } = await Bun.build({
    ...options,
    entrypoints: programs.map((path) => join(projectFolder, path)),
    root: projectFolder,
    naming: { entry: '[dir]/[name].[ext]', chunk: 'chunks/[name]-[hash].[ext]' },
    splitting: true,
    // Some load files from beside their own code; Ink's developer tools are not installed.
    external: ['better-sqlite3', 'pdfkit', 'fontkit', 'react-devtools-core'],
    plugins: [{ name: 'compiled-packages', setup: useCompiledPackages }],
  })
  const outputs = [...packages.flat(), ...ours]
  // Whatever a program loads is there before the program is.
  const isProgram = ({ kind }: Bun.BuildArtifact) => kind === 'entry-point'
  const inOrder = outputs.toSorted((one, other) => Number(isProgram(one)) - Number(isProgram(other)))
  for (const output of inOrder) writeWhole(join(programFolder, output.path), await contentOf(output))
  removeOldFiles(outputs.map(({ path }) => path))
}

const options = {
  target: 'bun',
  // Names stay: Elysia reads the source of its handlers, and logs name errors by their class.
  minify: { whitespace: true, syntax: true, identifiers: false },
  sourcemap: 'linked',
  define: { 'process.env.NODE_ENV': '"production"' },
} as const

async function compilePackage(name: string): Promise<Bun.BuildArtifact[]> {
  const { outputs } = await Bun.build({
    ...options,
    entrypoints: [fileURLToPath(import.meta.resolve(name))],
    naming: `packages/${name}.[ext]`,
    format: 'cjs',
    bytecode: true,
  })
  return outputs
}

/** Under the name that `package.json` gives the built file. */
function useCompiledPackages(build: Bun.PluginBuilder): void {
  build.onResolve({ filter: new RegExp(`^(${compiledPackages.join('|')})$`) }, ({ path }) => ({
    path: `#packages/${path}`,
    external: true,
  }))
}

/** A program that starts at this moment reads the old file or the new one, never half of one. */
function writeWhole(file: string, content: string | Uint8Array): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(`${file}.new`, content)
  renameSync(`${file}.new`, file)
}

const SourceMap = v.looseObject({ sources: v.array(v.string()) })

/** Bun names sources from the current folder, and looks for them from the folder of the map. */
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
