import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import * as v from 'valibot'

/** Pages people have open load files of the release they came from, of up to three with this one. */
const keptReleases = 3
const Kept = v.array(v.object({ release: v.string(), files: v.array(v.string()) }))

export const keptAssetsFolder = (dataDir: string) => join(dataDir, 'assets')
const listOf = (folder: string) => join(folder, 'releases.json')

/**
 * Copies this release's hashed files into the data folder, where the releases after it find them, and removes those of releases
 * long gone. Names are hashes of what's in them, so a file that's there is the same file.
 */
export async function keepAssets(
  dataDir: string,
  { release, assets }: { release: string; assets: string },
): Promise<void> {
  const folder = keptAssetsFolder(dataDir)
  const before = readKept(folder)
  if (before[0]?.release === release) return
  mkdirSync(folder, { recursive: true })
  const files = readdirSync(assets)
  for (const name of files) {
    if (existsSync(join(folder, name))) continue
    // With requests in between: there are hundreds.
    await setImmediate()
    copyFileSync(join(assets, name), join(folder, `${name}.new`))
    renameSync(join(folder, `${name}.new`), join(folder, name))
  }
  const kept = [{ release, files }, ...before.filter((one) => one.release !== release)].slice(0, keptReleases)
  const named = new Set(kept.flatMap((one) => one.files))
  for (const name of readdirSync(folder)) if (!named.has(name)) rmSync(join(folder, name))
  writeFileSync(listOf(folder), JSON.stringify(kept))
}

/** Empty if there's none yet, or if its writing was cut off: then everything is copied again. */
function readKept(folder: string): v.InferOutput<typeof Kept> {
  if (!existsSync(listOf(folder))) return []
  const read = v.safeParse(v.pipe(v.string(), v.parseJson(), Kept), readFileSync(listOf(folder), 'utf8'))
  return read.success ? read.output : []
}
