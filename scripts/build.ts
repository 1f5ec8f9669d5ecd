import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { programFolder, projectFolder } from '#api/project.ts'
import { buildPrograms } from './build/programs.ts'
import { hashSources, programFolders, siteFolders } from './build/sources.ts'

type Part = { name: string; folder: string; sources: readonly string[]; build(hash: string): Promise<void> }

// Vite takes half a second to load, so only load it if there's something to build.
const buildSite = async (hash: string) => (await import('./build/site.ts')).buildSite(hash)

const parts: readonly Part[] = [
  { name: 'site', folder: join(projectFolder, 'pwa/dist'), sources: siteFolders, build: buildSite },
  { name: 'programs', folder: programFolder, sources: programFolders, build: buildPrograms },
]

// Builds the site and the programs, or only those named, if a source has changed. `--force` always builds.
const [isForced, names] = [process.argv.includes('--force'), process.argv.slice(2).filter((name) => name !== '--force')]
for (const part of parts) if (names.length === 0 || names.includes(part.name)) await buildPart(part)

async function buildPart({ name, folder, sources, build }: Part): Promise<void> {
  const stamp = join(folder, 'stamp')
  const hash = hashSources(sources)
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash && !isForced) {
    console.log(`Built already: ${name}.`)
    return
  }
  await build(hash)
  writeFileSync(stamp, hash)
}
