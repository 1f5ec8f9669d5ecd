// The stages of `npm test`. Plain Node 20: nothing here may need an installed package.
import { randomInt } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { journeyReport, unitReport } from './test-reports.mjs'

export const stageNames = ['build', 'lint', 'walls', 'types', 'dead', 'unit', 'browser', 'browsers', 'old']

/** What the last check found, kept so that the next reads only what changed. */
const buildInfo = ['--tsBuildInfoFile', 'node_modules/.cache/types.tsbuildinfo']

/** The everyday run leaves out what's tagged `full`. A file or title that's named runs whole. */
export function listStages({ bun, reports, files, title, isFull }) {
  const isNarrowed = files.length > 0 || title !== undefined
  const isEveryday = !isFull && !isNarrowed
  const node = process.execPath
  const unit = unitReport(join(reports, 'unit.json'), isNarrowed)
  const browser = journeyReport(join(reports, 'browser.json'), isNarrowed)
  const browsers = journeyReport(join(reports, 'browsers.json'), isNarrowed)
  const isDrawn = isFull && !isNarrowed && availableParallelism() < 4
  const shard = isDrawn ? [`--shard=${draw('JOURNEYS', 20)}`] : []
  const ownFiles = isDrawn ? { FULL_FILES: draw('FULL_FILES', 6) } : {}
  const titled = (flag) => (title === undefined ? [] : [flag, title])
  const runUnit = (report, args) => ({
    command: [
      ...vitest(bun),
      'run',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report.file}`,
      ...args,
    ],
    // These are many short processes: JSC's optimising tier, and giving memory back before the end, cost more than they save.
    env: { BUN_JSC_useFTLJIT: '0', MIMALLOC_PURGE_DELAY: '-1', ...ownFiles },
  })
  const runBrowser = (report, args) => ({
    command: [node, 'node_modules/@playwright/test/cli.js', 'test', '--reporter=list,json', ...args],
    env: { PLAYWRIGHT_JSON_OUTPUT_FILE: report.file, BUN: bun },
  })
  const runBrowsers = (report, args) => ({
    command: [bun, 'scripts/browsers.ts', ...args],
    env: { PLAYWRIGHT_JSON_OUTPUT_FILE: report.file },
  })
  return [
    { name: 'build', isQuiet: true, command: [bun, 'scripts/build.ts'] },
    { name: 'lint', isQuiet: true, command: [node, 'node_modules/@biomejs/biome/bin/biome', 'check', '.'] },
    { name: 'walls', isQuiet: true, command: [bun, 'scripts/walls.ts'] },
    {
      name: 'types',
      isQuiet: true,
      command: [node, 'node_modules/typescript/bin/tsc', '--noEmit', '--checkers', '1', '--incremental', ...buildInfo],
    },
    // What only tests use is looked for in the full run: it reads everything a second time.
    { name: 'dead', isQuiet: true, command: [bun, '--bun', 'run', isFull ? 'dead' : 'dead:all'] },
    {
      name: 'unit',
      ...runUnit(unit, [...files, ...titled('-t'), ...(isEveryday ? ['--tags-filter=!full'] : [])]),
      report: unit,
      rerun: (failed) => {
        const again = unitReport(join(reports, 'unit-again.json'), true)
        const names = failed.map((test) => patternOf(test)).join('|')
        const paths = new Set(failed.map((test) => test.file))
        return { ...runUnit(again, [...paths, '-t', names, '--maxWorkers=1']), report: again }
      },
      slowest: 'Slowest test files',
    },
    {
      name: 'browser',
      needs: [bun, 'scripts/chromium.ts'],
      ...runBrowser(browser, [...files, ...titled('-g'), ...(isEveryday ? ['--grep-invert=@full'] : []), ...shard]),
      report: browser,
      rerun: (failed) => {
        const again = journeyReport(join(reports, 'browser-again.json'), true)
        const places = new Set(failed.map((test) => test.place))
        // The first run's screenshots stay.
        return { ...runBrowser(again, [...places, '--workers=1', '--output=test-results/again']), report: again }
      },
      slowest: 'Slowest journeys',
      lacks: () =>
        isEveryday && browser.lacks('webkit') && 'WebKit isn’t installed here: `npm run browsers` installs it.',
    },
    {
      name: 'browsers',
      isOfFullRun: true,
      ...runBrowsers(browsers, titled('-g')),
      report: browsers,
      rerun: (failed) => {
        const again = journeyReport(join(reports, 'browsers-again.json'), true)
        const choice = new Set(failed.flatMap((test) => [test.browser, test.place]))
        return {
          ...runBrowsers(again, [...choice, '--workers=1', '--output=test-results/browsers-again']),
          report: again,
        }
      },
      hint: ({ browser, place }) => `npm run browsers -- ${browser} ${place}`,
      slowest: 'Slowest in WebKit and Firefox',
    },
    ...(isNarrowed ? [] : [oldStage(bun, reports, runBrowser)]),
  ]
}

/** The journeys tagged `@old`, in a browser that lacks what some promised browser lacks (docs/browsers.md): at phone size alone. */
function oldStage(bun, reports, runBrowser) {
  const [report, again] = ['old', 'old-again'].map((name) => journeyReport(join(reports, `${name}.json`), false))
  const run = (of, args) => {
    const { command, env } = runBrowser(of, ['--grep=@old', ...args])
    return { command, env: { ...env, OLD: '1', FULL: undefined }, report: of }
  }
  return {
    name: 'old',
    isOfFullRun: true,
    needs: [bun, 'scripts/chromium.ts'],
    ...run(report, ['--output=test-results/old']),
    rerun: (failed) =>
      run(again, [...new Set(failed.map((test) => test.place)), '--workers=1', '--output=test-results/old-again']),
    slowest: 'Slowest in an old browser',
  }
}

/** On two cores all journeys, at both sizes, take more than an hour, and all unit tests of the full run forty minutes. */
function draw(name, parts) {
  const drawn = process.env[name] ?? `${randomInt(parts) + 1}/${parts}`
  console.log(`A part is drawn: ${name}=${drawn}`)
  return drawn
}

export function vitest(bun) {
  return [bun, '--bun', 'node_modules/vitest/vitest.mjs']
}

/** As both runners take it: an expression without signs that the shell or they would read. */
export function patternOf({ title }) {
  return title.replaceAll(/[^\p{L}\d ,:-]/gu, '.')
}
