// `npm start`: installs and builds what is missing, then runs the server until it is told to stop.
import { findBun, installPackages, launch, run, runInTurn } from './launch.mjs'

await launch(() => {
  const bun = findBun()
  return runInTurn([
    () => installPackages(bun),
    () => run(bun, ['scripts/build.ts']),
    () => run(bun, ['api/main.ts', ...process.argv.slice(2)]),
  ])
})
