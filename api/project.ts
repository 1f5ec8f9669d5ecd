import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The folder with the sources. The built programs are in `dist` inside it. */
export const projectFolder = findProject(import.meta.dirname)

function findProject(folder: string): string {
  if (existsSync(join(folder, 'package.json'))) return folder
  const above = dirname(folder)
  if (above === folder) throw new Error(`There is no package.json above ${import.meta.dirname}.`)
  return findProject(above)
}

export const migrationsFolder = join(projectFolder, 'data/migrations')

/** Where the build puts programs, each at its source's path. */
export const programFolder = join(projectFolder, 'dist')

const isBuilt = import.meta.filename.endsWith('.js')

/** The file of another of our programs, such as `api/documents/pdf-worker`: the built one if this one is built. */
export const programFile = (path: string) =>
  isBuilt ? join(programFolder, `${path}.js`) : join(projectFolder, `${path}.ts`)
