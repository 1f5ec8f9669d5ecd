/**
 * `bun run bench [family…]` measures the product's speed. Absolute times depend on the machine, so each figure is compared with
 * its floor: the least the same result can cost, measured in the same run. Exits with 1 if any limit is missed.
 */
import { measureAdmin } from './admin.ts'
import { measureFloods } from './floods.ts'
import { measureIntake } from './intake.ts'
import { measureLogin } from './login.ts'
import { measureMembers } from './members.ts'
import { measureMoney } from './money.ts'
import { measureOffline } from './offline.ts'
import { measureList, measurePage, measureRead } from './reads.ts'
import { type Families, measureAll } from './run.ts'
import { measureShelf } from './shelf.ts'
import { measureStart } from './startup.ts'
import { measureTerminal } from './terminal.ts'
import { measureSync, measureTick } from './ticks.ts'
import { measureUploads } from './uploads.ts'

const families: Families = {
  read: measureRead,
  list: measureList,
  page: measurePage,
  tick: measureTick,
  sync: measureSync,
  money: measureMoney,
  uploads: measureUploads,
  shelf: measureShelf,
  login: measureLogin,
  floods: measureFloods,
  intake: measureIntake,
  admin: measureAdmin,
  start: measureStart,
  terminal: measureTerminal,
  offline: measureOffline,
  members: measureMembers,
}

const chosen = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(families)
const unknown = chosen.filter((name) => !(name in families))
if (unknown.length > 0) {
  console.error(`No such row: ${unknown.join(', ')}. There are: ${Object.keys(families).join(', ')}.`)
  process.exit(2)
}

const holds = await measureAll(Object.fromEntries(Object.entries(families).filter(([name]) => chosen.includes(name))))
process.exit(holds ? 0 : 1)
