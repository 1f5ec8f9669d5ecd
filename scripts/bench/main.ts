/**
 * `npm run bench [-- FAMILY…]` measures the product's speed, `npm run bench:pages [-- PATH…]` what public pages cost a visitor.
 * Absolute times depend on the machine, so each figure is compared with its floor: the least the same result can cost, measured in
 * the same run. Exits with 1 if any limit is missed.
 */
import { availableParallelism, loadavg } from 'node:os'
import { families } from './families.ts'
import { createFixture } from './fixture.ts'
import { benchFile, root } from './programs.ts'
import { runEach } from './run.ts'

const ofPages = ['page', 'repeat', 'press', 'weight', 'lighthouse']
/** Those that measure chosen pages alone. */
const ofPaths = ['weight', 'lighthouse']

const given = process.argv.slice(2)
const paths = given.filter((word) => word.startsWith('/'))
const named = given.filter((word) => !word.startsWith('/') && word !== '--pages')
const usual = given.includes('--pages') ? (paths.length > 0 ? ofPaths : ofPages) : Object.keys(families).slice(0, -4)
const chosen = named.length > 0 ? named : usual
const unknown = chosen.filter((name) => !(name in families))
if (unknown.length > 0) {
  console.error(`No such family: ${unknown.join(', ')}. There are: ${Object.keys(families).join(', ')}.`)
  process.exit(2)
}

const [loadBefore = 0] = loadavg()
// What `npm start` runs.
const built = Bun.spawnSync([process.execPath, 'scripts/build.ts'], {
  cwd: root,
  stdio: ['ignore', 'ignore', 'inherit'],
})
if (built.exitCode !== 0) process.exit(built.exitCode)
const folder = await createFixture()
const command = [process.execPath, '--no-env-file', benchFile('families.ts')]
const short = await runEach(Object.fromEntries(chosen.map((name) => [name, [...command, name, folder, ...paths]])))
const [loadAfter = 0] = loadavg()
console.log(short.length === 0 ? '\nEverything holds.' : `\nFalls short: ${short.join(', ')}.`)
if (loadBefore > 1 || loadAfter > availableParallelism() + 2)
  console.log(
    `Other work was under way (load ${loadBefore.toFixed(1)}, then ${loadAfter.toFixed(1)}): measure again without it.`,
  )
process.exit(short.length === 0 ? 0 : 1)
