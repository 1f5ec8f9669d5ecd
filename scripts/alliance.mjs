#!/usr/bin/env node
// The `alliance` command: runs the terminal program on the installed bun, whatever the current folder.
import { existsSync } from 'node:fs'
import { installedBun, launch, root, run } from './launch.mjs'

await launch(() => {
  if (!existsSync(installedBun)) throw new Error('alliance is not installed yet: run "npm start" in its folder first.')
  // The project's folder holds .env and DATA_DIR.
  return run(installedBun, ['cli/main.ts', ...process.argv.slice(2)], { cwd: root })
})
