import type { Exception } from './exceptions.ts'
import { type Finding, isTest } from './place.ts'
import type { Source } from './source.ts'

/** What is read together is in one file. Tests apart. */
const limits = { oneFunction: 115, smallLines: 20, smallFiles: 15 }

/** A feature's table of routes and the page of a route are one function by their nature: their number grows with the features. */
const isOneByNature = /^api\/features\/.*routes\.ts$|^pwa\/features\/.*-page\.tsx$/

/** More files of one function than the project may have: one finding, which names the shortest of them. */
export function checkOneFunction(sources: readonly Source[]): Finding[] {
  const found = productOf(sources).filter(({ path, topFunctions }) => topFunctions === 1 && !isOneByNature.test(path))
  if (found.length <= limits.oneFunction) return []
  const [shortest, ...others] = found.toSorted((one, other) => one.lines - other.lines).slice(0, 10)
  if (shortest === undefined) return []
  const says = `${found.length} files hold one function each, at most ${limits.oneFunction}: merge what is read together, such as this one, ${others.map(({ path }) => path).join(', ')}`
  return [{ path: shortest.path, rule: 'one-function', says }]
}

/** A small file that one other file alone imports: it belongs there, unless an exception says why not. */
export function checkSmallFiles(sources: readonly Source[]): Finding[] {
  const product = productOf(sources)
  const pairs = product.flatMap(({ path, imports }) =>
    [...new Set(imports.map(({ target }) => target))].map((target) => ({ path, target })),
  )
  const importers = Map.groupBy(pairs, ({ target }) => target)
  return product.flatMap(({ path, lines }): Finding[] => {
    const [importer, second] = importers.get(path) ?? []
    if (lines > limits.smallLines || importer === undefined || second !== undefined) return []
    return [{ path, rule: 'small-file', says: `${lines} lines that ${importer.path} alone imports belong there` }]
  })
}

/** Reasons are found for everything: only so many small files may have one. */
export function checkSmallFileExceptions(exceptions: readonly Exception[]): Finding[] {
  return exceptions
    .filter(({ rule }) => rule === 'small-file')
    .slice(limits.smallFiles)
    .map(({ path, rule }) => ({ path, rule, says: `at most ${limits.smallFiles} small files have an exception` }))
}

const productOf = (sources: readonly Source[]) => sources.filter(({ path }) => !isTest(path) && !path.endsWith('.d.ts'))
