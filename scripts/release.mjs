// `npm run release`: installs what's missing, then makes the release.
import { findBun, installPackages, launch, run, runSteps } from './launch.mjs'

await launch(() => {
  const bun = findBun()
  return runSteps([() => installPackages(bun), () => run(bun, ['scripts/release.ts', ...process.argv.slice(2)])])
})
