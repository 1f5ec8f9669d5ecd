import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** What the site and the programs are built from, apart from `files`. */
export const siteFolders = ['pwa', 'shared', 'scripts/build']
export const programFolders = ['api', 'cli', 'shared', 'data/seed', 'scripts/build']

const files = ['bun.lock', 'package.json', 'tsconfig.json']

const isSource = (path: string) =>
  !/(^pwa\/(dist|e2e|design)\/|^(api|cli|pwa)\/(.+\/)?testing\/|\.(test|gen)\.tsx?$)/.test(path)

const filesIn = (folder: string) =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length))

/** One hash of all sources in these folders: an equal hash means an equal build. */
export function hashSources(folders: readonly string[]): string {
  const hash = createHash('sha256')
  for (const path of [...folders.flatMap(filesIn), ...files].filter(isSource).sort()) {
    hash
      .update(path)
      .update('\0')
      .update(readFileSync(join(root, path)))
  }
  return hash.digest('hex').slice(0, 16)
}
