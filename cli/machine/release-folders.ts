import { existsSync, readdirSync, readlinkSync, realpathSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { projectFolder } from '#api/project.ts'
import { readRelease } from '#api/release.ts'
import { CliError, exitCodes } from '#cli/exit-codes.ts'
import type { Release } from '#shared/contract/release.ts'

/** `root` holds `releases`, and the links `current` (what runs) and `site` (the data). */
export type Installed = { root: string; current: Release }

export const releasesOf = (root: string) => join(root, 'releases')
export const folderOf = (root: string, { name }: Pick<Release, 'name'>) => join(releasesOf(root), name)

/** Where this program is installed. Refuses in a clone or a container, with what to do there. */
export function findInstalled(): Installed {
  const releases = dirname(realpathSync(projectFolder))
  const root = dirname(releases)
  const current = basename(releases) === 'releases' && existsSync(join(root, 'current')) ? currentOf(root) : null
  if (current !== null) return { root, current }
  throw new CliError(
    exitCodes.usage,
    'This isn’t an installed release. In a clone: git pull, then restart. In a container: deploy/update.sh on its host.',
  )
}

const currentOf = (root: string) => readRelease(join(root, 'current'))

/** All that are unpacked, oldest first. */
export function listReleases(root: string): Release[] {
  return readdirSync(releasesOf(root))
    .filter((name) => !name.startsWith('.'))
    .flatMap((name) => readRelease(join(releasesOf(root), name)) ?? [])
    .sort(compareReleases)
}

export const compareReleases = (one: Release, other: Release): number =>
  Bun.semver.order(one.version, other.version) || (one.madeAt < other.madeAt ? -1 : Number(one.madeAt > other.madeAt))

/** Points `current` elsewhere in one step, so the link always leads to a whole release. */
export function pointTo(root: string, release: Pick<Release, 'name'>): void {
  const next = join(root, '.current-next')
  rmSync(next, { force: true })
  symlinkSync(join('releases', release.name), next)
  renameSync(next, join(root, 'current'))
}

const keptReleases = 3

/** Removes all but the newest, and never what runs or ran before. */
export function removeOldReleases(root: string, kept: readonly string[]): void {
  const running = basename(readlinkSync(join(root, 'current')))
  for (const { name } of listReleases(root).slice(0, -keptReleases)) {
    if (name !== running && !kept.includes(name)) rmSync(folderOf(root, { name }), { recursive: true })
  }
}

/** Root's work. What isn't root's would let the service change its own program. */
export function assertMayChange(root: string): void {
  try {
    const probe = join(releasesOf(root), `.probe-${process.pid}`)
    symlinkSync('.', probe)
    rmSync(probe)
  } catch {
    throw new CliError(exitCodes.notAllowed, `You can’t write to ${releasesOf(root)}. Run it with sudo.`)
  }
}
