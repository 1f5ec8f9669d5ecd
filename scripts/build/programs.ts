import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
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

/** Which files the last build wrote. */
const filesList = join(programFolder, 'files.json')

/**
 * Bundles the server and the terminal, split so that what is seldom needed stays in files of its own. A server that is
 * running still loads such files of its own build, so those stay until the build after the next.
 */
export async function buildPrograms(): Promise<void> {
  const { outputs } = await Bun.build({
    entrypoints: programs.map((path) => join(projectFolder, path)),
    root: projectFolder,
    naming: { entry: '[dir]/[name].[ext]', chunk: 'chunks/[name]-[hash].[ext]' },
    target: 'bun',
    splitting: true,
    // Names stay: Elysia reads the source of its handlers, and logs name errors by their class.
    minify: { whitespace: true, syntax: true, identifiers: false },
    sourcemap: 'linked',
    // Some load files from beside their own code; Ink's developer tools are not installed.
    external: ['better-sqlite3', 'pdfkit', 'fontkit', 'react-devtools-core'],
    define: { 'process.env.NODE_ENV': '"production"' },
  })
  // Whatever a program loads is there before the program is.
  const isProgram = ({ kind }: Bun.BuildArtifact) => kind === 'entry-point'
  const inOrder = outputs.toSorted((one, other) => Number(isProgram(one)) - Number(isProgram(other)))
  for (const output of inOrder) writeWhole(join(programFolder, output.path), await textOf(output))
  removeOldFiles(outputs.map(({ path }) => path))
}

/** A program that starts at this moment reads the old file or the new one, never half of one. */
function writeWhole(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(`${file}.new`, text)
  renameSync(`${file}.new`, file)
}

const SourceMap = v.looseObject({ sources: v.array(v.string()) })

/** Bun names sources from the current folder, and looks for them from the folder of the map. */
async function textOf(output: Bun.BuildArtifact): Promise<string> {
  if (output.kind !== 'sourcemap') return output.text()
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
    if (/\.(js|map)$/.test(file) && entry.isFile() && !kept.has(file)) rmSync(file)
  }
  writeWhole(filesList, JSON.stringify(written))
}
