import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildSite, dist } from './build/site.ts'
import { hashSources } from './build/sources.ts'

// Builds the site into pwa/dist unless no source has changed since the last build; `--force` builds in any case.
const stamp = join(dist, 'stamp')
const hash = hashSources()

if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash && !process.argv.includes('--force')) {
  console.log('The site is built already.')
} else {
  await buildSite(hash)
  writeFileSync(stamp, hash)
}
