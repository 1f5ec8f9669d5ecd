// `npm start`: installs and builds what's missing, then runs the server until a signal stops it.
import { findBun, installPackages, launch, run, runSteps } from './launch.mjs'

await launch(() => {
  const bun = findBun()
  return runSteps([
    () => installPackages(bun),
    () => run(bun, ['scripts/build.ts']),
    () => run(bun, ['dist/api/main.js', ...process.argv.slice(2)]),
  ])
})
