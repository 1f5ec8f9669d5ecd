import { createWriteStream, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, relative } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { usageError } from './exit-codes.ts'

/** The same files make the same bytes, so that the server knows a file it has had before. */
const always = new Date('2020-01-01T00:00:00Z')

/** `name`: what it's called in the ZIP. */
export type Packed = { path: string; name?: string }

/** A ZIP of files and folders in a private folder, which the caller removes; null for a single file, which needs none. */
export async function packFiles(paths: readonly Packed[]): Promise<string | null> {
  const first = paths[0]?.path ?? ''
  if (paths.length === 1 && !typeOf(first).isDirectory()) return null
  const { ZipFile } = await import('yazl')
  const zip = new ZipFile()
  const options = { mtime: always, mode: 0o100600, compress: false }
  for (const one of paths) for (const [file, name] of filesIn(one)) zip.addFile(file, name, options)
  zip.end()
  const folder = mkdtempSync(join(tmpdir(), 'alliance-import-'))
  const packed = join(folder, `${basename(first)}.zip`)
  try {
    await pipeline(zip.outputStream, createWriteStream(packed, { mode: 0o600 }))
    return packed
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    throw error
  }
}

function typeOf(path: string) {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found === undefined) throw usageError(`There’s no file ${path}.`)
  return found
}

/** Each file with its name in the ZIP, which begins with the folder's own. Links lead nowhere else. */
function filesIn({ path, name = basename(path) }: Packed): [file: string, name: string][] {
  if (!typeOf(path).isDirectory()) return [[path, name]]
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry): [string, string] => {
      const file = join(entry.parentPath, entry.name)
      return [file, join(name, relative(path, file))]
    })
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
}
