// Which test files may notice a fault in a file, the nearest first.
import { dirname } from 'node:path/posix'
import { readSource } from '../walls/source.ts'

const isTestFile = (path: string) => /\.test\.tsx?$/.test(path)

/** The folder whose tests are about a file. A rule's are only the one beside it, and those that import it. */
const homeOf = (path: string) =>
  /^(api\/features\/[^/]+|api\/stripe|pwa\/sync(\/[^/]+)?|pwa\/features\/[^/]+)(?=\/)/.exec(path)?.[0]

/** A function that lists them. `files` are all sources, tests included, as path and text. */
export function coveringTests(files: ReadonlyMap<string, string>): (path: string) => string[] {
  const tests = [...files.keys()].filter(isTestFile)
  const importers = new Map<string, string[]>()
  for (const [path, text] of files)
    for (const { target, isPackage, isType } of readSource(path, text).imports)
      if (!isPackage && !isType) importers.set(target, [...(importers.get(target) ?? []), path])
  return (path) => {
    const found = new Set(tests.filter((test) => test.replace(/\.test\.tsx?$/, '') === path.replace(/\.tsx?$/, '')))
    const seen = new Set([path])
    for (let level = [path]; level.length > 0; level = importersOf(level, importers, seen)) {
      for (const test of level.filter(isTestFile)) found.add(test)
      const products = level.filter((file) => !isTestFile(file) && !/\/testing\//.test(file))
      const places = [...products.filter((file) => homeOf(file)).map((file) => dirname(file)), ...products.map(homeOf)]
      for (const place of places) for (const test of tests) if (place && test.startsWith(`${place}/`)) found.add(test)
    }
    return [...found]
  }
}

function importersOf(level: string[], importers: ReadonlyMap<string, string[]>, seen: Set<string>): string[] {
  const next = level.flatMap((path) => importers.get(path) ?? []).filter((path) => !seen.has(path))
  for (const path of next) seen.add(path)
  return [...new Set(next)].sort()
}
