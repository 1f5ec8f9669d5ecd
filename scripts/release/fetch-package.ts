import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { projectFolder } from '#api/project.ts'
import type { Locked } from './lock-file.ts'
import { runProgram } from './run-program.ts'

const cache = join(projectFolder, 'node_modules/.cache/release')

/** Fetches a package of another kind of machine, unpacks it and returns its folder. Only what has the known hash is kept. */
export function fetchPackage({ name, version, integrity }: Locked): string {
  const called = `${name.replace('@', '').replace('/', '-')}-${version}`
  const folder = join(cache, called)
  if (existsSync(folder)) return folder
  const partial = `${folder}.partial-${process.pid}`
  mkdirSync(partial, { recursive: true })
  try {
    runProgram(['npm', 'pack', '--silent', `${name}@${version}`, '--pack-destination', partial])
    const archive = join(partial, readdirSync(partial).find((file) => file.endsWith('.tgz')) ?? '')
    const found = `sha512-${createHash('sha512').update(readFileSync(archive)).digest('base64')}`
    if (found !== integrity) throw new Error(`${name} ${version} isn’t the package we know: ${found}`)
    runProgram(['tar', '-xzf', archive, '-C', partial])
    renameSync(join(partial, 'package'), folder)
  } finally {
    rmSync(partial, { recursive: true, force: true })
  }
  return folder
}
