/**
 * `bun run bench:pages [path…]` measures what public pages cost a visitor, each figure against its floor from the same run. With
 * paths, it only measures those pages. Exits with 1 if any limit is missed.
 */
import { measureLighthouse } from './lighthouse.ts'
import { measurePageWeight } from './page-weight.ts'
import { measurePage } from './reads.ts'
import { measureRepeatVisits } from './repeat-visits.ts'
import { type Families, measureAll } from './run.ts'

const paths = process.argv.slice(2)
const pageFamilies: Families = {
  weight: (fixture) => measurePageWeight(fixture, paths),
  lighthouse: (fixture) => measureLighthouse(fixture, paths),
}
const siteFamilies: Families = { page: measurePage, repeat: measureRepeatVisits }

process.exit((await measureAll(paths.length > 0 ? pageFamilies : { ...siteFamilies, ...pageFamilies })) ? 0 : 1)
