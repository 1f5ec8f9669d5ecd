#!/usr/bin/env node
// The `alliance` command: runs the terminal program on the installed bun, from any folder.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { findBun, installedBun, installPackages, launch, root, run, runSteps } from './launch.mjs'

await launch(async () => {
  const isThere = existsSync(installedBun) && existsSync(join(root, 'dist/cli/main.js'))
  const code = isThere ? 0 : await prepare()
  if (code !== 0) return code
  // The project's folder has .env and DATA_DIR, but file arguments are relative to where the command was typed.
  const env = { ...process.env, ALLIANCE_CWD: process.cwd() }
  return run(installedBun, ['dist/cli/main.js', ...process.argv.slice(2)], { cwd: root, env })
})

/** Before the first `npm start`: what that would do for the terminal. It says so beside the output, which may be piped. */
function prepare() {
  const bun = findBun()
  const aside = { stdio: ['inherit', 2, 'inherit'] }
  return runSteps([() => installPackages(bun, aside), () => run(bun, ['scripts/build.ts', 'programs'], aside)])
}
