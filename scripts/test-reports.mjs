// What the runners of `npm test` report. Plain Node 20: nothing here may need an installed package.
import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { root } from './launch.mjs'

const slowestCount = 5

/**
 * Vitest's report. A test is `{ name, file, title }`, `name` being unique. A file that didn't load counts as a failed test
 * without a title. A skipped test counts as failed, unless the run was narrowed or it's tagged `full`.
 */
export function unitReport(file, isNarrowed) {
  const tests = () =>
    (readReport(file)?.testResults ?? []).flatMap(({ name: path, status, assertionResults }) => {
      const file = relative(root, path)
      if (status === 'failed' && assertionResults.length === 0) return [{ name: file, file, title: '', status }]
      const ran = assertionResults.filter(({ status, tags }) => status !== 'skipped' || !tags.includes('full'))
      return ran.map(({ ancestorTitles, title, status }) => {
        // As `-t` reads it. The report's own full name has spaces between.
        const whole = [...ancestorTitles, title].join(' > ')
        return { name: `${file}  ${whole}`, file, title: whole, status }
      })
    })
  return {
    ...reportOf(tests, file, isNarrowed),
    /** A file's time is the sum of its tests, without loading modules. */
    times: () =>
      (readReport(file)?.testResults ?? []).map(({ name, startTime, endTime }) => ({
        name: relative(root, name),
        ms: endTime - startTime,
      })),
  }
}

/** Playwright's report, in the same shape; `place` is a journey's file and line. A journey counts once in each browser. */
export function journeyReport(file, isNarrowed) {
  const journeys = () => {
    const { suites = [], config } = readReport(file) ?? {}
    return suites.flatMap((suite) => journeysOf(suite, config.rootDir))
  }
  return {
    ...reportOf(journeys, file, isNarrowed),
    times: journeys,
    lacks: (browser) => readReport(file)?.config.projects.every(({ name }) => name !== browser) ?? false,
  }
}

/** Suites nest: files and `describe` blocks are both suites. */
function journeysOf({ specs = [], suites = [] }, folder) {
  const own = specs.flatMap(({ file, line, title, tests }) =>
    tests.map(({ projectName: browser, status, results }) => ({
      name: `${file}  ${title}  ${browser}`,
      file: relative(root, join(folder, file)),
      browser,
      place: `${file}:${line}`,
      title,
      status: { expected: 'passed', skipped: 'skipped' }[status] ?? 'failed',
      ms: results.reduce((sum, { duration }) => sum + duration, 0),
    })),
  )
  return [...own, ...suites.flatMap((suite) => journeysOf(suite, folder))]
}

function reportOf(tests, file, isNarrowed) {
  const failed = () => tests().filter(({ status }) => status === 'failed')
  const passed = () => new Set(tests().flatMap(({ name, status }) => (status === 'passed' ? [name] : [])))
  return {
    file,
    failed,
    passed,
    count() {
      if (!readReport(file)) return { passed: 0, failed: 1 }
      const all = tests()
      const skipped = all.filter(({ status }) => status !== 'failed' && status !== 'passed').length
      const ended = all.length - skipped
      return { passed: ended - failed().length, failed: failed().length + (isNarrowed ? 0 : skipped) }
    },
  }
}

export function printSlowest(title, times) {
  if (times.length === 0) return
  console.log(title)
  for (const { name, ms } of times.toSorted((one, other) => other.ms - one.ms).slice(0, slowestCount))
    console.log(`${(ms / 1000).toFixed(1).padStart(7)} s  ${name}`)
}

function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}
