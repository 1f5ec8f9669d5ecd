import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import * as v from 'valibot'
import { programFolder, projectFolder } from '#api/project.ts'

const programs = [
  'api/main.ts',
  'cli/main.ts',
  'api/documents/pdf-worker.ts',
  'api/pictures/decoder.ts',
  'api/intake/reader.ts',
  'api/apart-reader.ts',
  'api/db/copy-worker.ts',
  'api/db/integrity-worker.ts',
]

const filesList = join(programFolder, 'files.json')

/**
 * Bundles the server, the terminal and their helpers, each at the path of its source, with what they share and what is loaded by
 * `import()` in files of its own. A running server still loads files of its own build, so those stay until the build after the next.
 */
export async function buildPrograms(): Promise<void> {
  const { outputs } = await Bun.build({
    entrypoints: programs.map((path) => join(projectFolder, path)),
    root: projectFolder,
    naming: { entry: '[dir]/[name].[ext]', chunk: 'chunks/[name]-[hash].[ext]' },
    splitting: true,
    target: 'bun',
    // Keep names: Elysia reads its handlers' source, and logs name errors by class.
    minify: { whitespace: true, syntax: true, identifiers: false },
    sourcemap: 'linked',
    define: { 'process.env.NODE_ENV': '"production"' },
    external: [
      // They load files relative to their own code. Ink's developer tools aren't installed.
      ...['better-sqlite3', 'pdfkit', 'fontkit', 'sharp', '@touch4it/ical-timezones', 'react-devtools-core'],
      // Loaded on first use.
      ...['nodemailer', 'yazl', 'yauzl', '@zxcvbn-ts/language-common'],
      ...['file-type', 'ical-generator', '@simplewebauthn/server', 'otpauth', 'postal-mime', 'prom-client'],
    ],
  })
  // Write a program after everything it loads.
  const isProgram = ({ kind }: Bun.BuildArtifact) => kind === 'entry-point'
  const inOrder = outputs.toSorted((one, other) => Number(isProgram(one)) - Number(isProgram(other)))
  for (const output of inOrder) writeWhole(join(programFolder, output.path), await contentOf(output))
  removeOldFiles(outputs.map(({ path }) => path))
}

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
