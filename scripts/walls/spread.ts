import type { Exception } from './exceptions.ts'
import { type Finding, isTest } from './place.ts'
import type { Source } from './source.ts'

/** Code that's read together belongs in one file. Tests don't count. */
const limits = { oneFunction: 115, smallLines: 20, smallFiles: 15 }

/** A feature's route table and a route's page are naturally one function, and their number grows with the features. */
const isOneByNature = /^api\/features\/.*routes\.ts$|^pwa\/features\/.*-page\.tsx$/

/** More single-function files than the project may have: one finding, which lists the shortest. */
export function checkOneFunction(sources: readonly Source[]): Finding[] {
  const found = productOf(sources).filter(({ path, topFunctions }) => topFunctions === 1 && !isOneByNature.test(path))
  if (found.length <= limits.oneFunction) return []
  const [shortest, ...others] = found.toSorted((one, other) => one.lines - other.lines).slice(0, 10)
  if (shortest === undefined) return []
  const says = `${found.length} files hold one function each, at most ${limits.oneFunction}: merge what is read together, such as this one, ${others.map(({ path }) => path).join(', ')}`
  return [{ path: shortest.path, rule: 'one-function', says }]
}

/** A small file with only one importer belongs in it, unless an exception says why not. */
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

/** There's always a reason, so limit how many small files may have one. */
export function checkSmallFileExceptions(exceptions: readonly Exception[]): Finding[] {
  return exceptions
    .filter(({ rule }) => rule === 'small-file')
    .slice(limits.smallFiles)
    .map(({ path, rule }) => ({ path, rule, says: `at most ${limits.smallFiles} small files have an exception` }))
}

const productOf = (sources: readonly Source[]) => sources.filter(({ path }) => !isTest(path) && !path.endsWith('.d.ts'))
