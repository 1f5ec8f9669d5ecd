#!/usr/bin/env node
// The `alliance` command: runs the terminal program on the installed bun, from any folder.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { installedBun, launch, root, run } from './launch.mjs'

await launch(() => {
  if (!existsSync(installedBun) || !existsSync(join(root, 'dist/cli/main.js')))
    throw new Error('alliance is not installed yet: run "npm start" in its folder first.')
  // The project's folder has .env and DATA_DIR, but file arguments are relative to where the command was typed.
  const env = { ...process.env, ALLIANCE_CWD: process.cwd() }
  return run(installedBun, ['dist/cli/main.js', ...process.argv.slice(2)], { cwd: root, env })
})
