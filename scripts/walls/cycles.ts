import type { Finding } from './place.ts'
import type { Source } from './source.ts'

/** Import cycles, including types: two files that need each other's types can't be read separately. A lazy `import()` is fine. */
export function checkCycles(sources: readonly Source[]): Finding[] {
  const imports = new Map(sources.map((source) => [source.path, importedBy(source)]))
  const findings: Finding[] = []
  const done = new Set<string>()
  const trail: string[] = []
  const visit = (path: string) => {
    const at = trail.indexOf(path)
    if (at !== -1) {
      const ring = [...trail.slice(at), path]
      findings.push({ path, rule: 'cycle', says: `files import each other: ${ring.join(' → ')}` })
    }
    if (at !== -1 || done.has(path)) return
    trail.push(path)
    for (const next of imports.get(path) ?? []) visit(next)
    trail.pop()
    done.add(path)
  }
  for (const path of imports.keys()) visit(path)
  return findings
}

function importedBy({ imports }: Source): string[] {
  return imports.filter(({ isPackage, isDynamic }) => !isPackage && !isDynamic).map(({ target }) => target)
}
