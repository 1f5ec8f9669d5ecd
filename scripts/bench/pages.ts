/**
 * `bun run bench:pages [path…]`: what the public pages cost a visitor, beside its floors in the same run. With paths, only
 * the rows of these pages. Exit 1 where one falls short.
 */
import { measureLighthouse } from './lighthouse.ts'
import { measurePage } from './reads.ts'
import { measureRepeat } from './repeat.ts'
import { type Families, measureAll } from './run.ts'
import { measureTransfer } from './transfer.ts'

const named = process.argv.slice(2)
const ofEachPage: Families = {
  transfer: (house) => measureTransfer(house, named),
  lighthouse: (house) => measureLighthouse(house, named),
}
const ofTheWhole: Families = { page: measurePage, repeat: measureRepeat }

process.exit((await measureAll(named.length > 0 ? ofEachPage : { ...ofTheWhole, ...ofEachPage })) ? 0 : 1)
