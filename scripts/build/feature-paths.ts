import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createContext } from '#api/context.ts'
import { openDatabase } from '#api/db/open.ts'
import { features } from '#api/feature-routes.ts'
import { projectFolder } from '#api/project.ts'
import { readSettings } from '#api/settings.ts'

const file = join(projectFolder, 'api/feature-paths.gen.ts')

/** Writes down which feature has which routes, so a request finds its feature before any is loaded. */
export async function writeFeaturePaths(): Promise<void> {
  const text = await describeFeaturePaths()
  if (readFileSync(file, 'utf8') !== text) writeFileSync(file, text)
}

export async function describeFeaturePaths(): Promise<string> {
  const ctx = createContext({ settings: readSettings({}), ...openDatabase(':memory:') })
  const rows = Object.entries(features).map(async ([feature, load]) => {
    const { routes }: { routes: { method: string; path: string }[] } = (await load())(ctx)
    return routes.map(({ method, path }) => `  '${method} ${path.replace(/(?<=.)\/$/, '')}': '${feature}',\n`).sort()
  })
  const written = (await Promise.all(rows)).flat().join('')
  return `// Written by \`npm run build\` from the features’ routes.
import type { Feature } from './feature-routes.ts'

export const featurePaths: Readonly<Record<string, Feature>> = {
${written}}
`
}
