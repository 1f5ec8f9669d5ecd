import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { Release } from '#shared/contract/release.ts'
import { projectFolder } from './project.ts'
import { StartupError } from './settings.ts'

let found: Release | null | undefined

/** What's running, if it's a release. Null in a clone. */
export function thisRelease(): Release | null {
  found ??= readRelease(projectFolder)
  return found
}

/** The release unpacked in a folder. Null if it holds none. */
export function readRelease(folder: string): Release | null {
  const file = join(folder, 'release.json')
  return existsSync(file) ? v.parse(Release, JSON.parse(readFileSync(file, 'utf8'))) : null
}

/** A clone starts a sandbox without any settings. A release is on a server, where its sample passwords would let anyone in. */
export function assertSetUp(environment: Record<string, string | undefined>, envFile: string): void {
  if (thisRelease() === null || existsSync(envFile) || environment.PUBLIC_URL?.trim()) return
  throw new StartupError('Not set up yet. Run: sudo alliance setup')
}
