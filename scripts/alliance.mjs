#!/usr/bin/env node
// The `alliance` command: the terminal program under the installed bun, from whatever folder it is called.
import { existsSync } from 'node:fs'
import { installedBun, launch, root, run } from './launch.mjs'

await launch(() => {
  if (!existsSync(installedBun)) throw new Error('alliance is not installed yet: run "npm start" in its folder first.')
  // The program runs in the project's folder, where .env and DATA_DIR are.
  return run(installedBun, ['cli/main.ts', ...process.argv.slice(2)], {
    cwd: root,
  })
})
