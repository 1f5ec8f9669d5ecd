import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** The folder that holds everything: the sources lie in it, and the built programs in `dist` below it. */
export const projectFolder = findProject(import.meta.dirname)

function findProject(folder: string): string {
  if (existsSync(join(folder, 'package.json'))) return folder
  const above = dirname(folder)
  if (above === folder) throw new Error(`There is no package.json above ${import.meta.dirname}.`)
  return findProject(above)
}

/** Loads what no start should wait for, at the moment it is needed. */
export const requireLater = createRequire(import.meta.url)

export const migrationsFolder = join(projectFolder, 'data/migrations')

/** Where the build puts programs, each at the path of its source. */
export const programFolder = join(projectFolder, 'dist')

const isBuilt = import.meta.filename.endsWith('.js')

/** The file of another program of ours, such as `api/documents/pdf-worker`: built, where this one is. */
export const programFile = (path: string) =>
  isBuilt ? join(programFolder, `${path}.js`) : join(projectFolder, `${path}.ts`)
