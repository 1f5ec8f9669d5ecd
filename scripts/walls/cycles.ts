import type { Finding } from './place.ts'
import type { Source } from './source.ts'

/** Files that load each other, each ring told once. Types, and what `import()` loads later, make no ring. */
export function checkCycles(sources: readonly Source[]): Finding[] {
  const loads = new Map(sources.map((source) => [source.path, loadedBy(source)]))
  const findings: Finding[] = []
  const done = new Set<string>()
  const trail: string[] = []
  const visit = (path: string) => {
    const at = trail.indexOf(path)
    if (at !== -1) {
      const ring = [...trail.slice(at), path]
      findings.push({ path, rule: 'cycle', says: `files load each other: ${ring.join(' → ')}` })
    }
    if (at !== -1 || done.has(path)) return
    trail.push(path)
    for (const next of loads.get(path) ?? []) visit(next)
    trail.pop()
    done.add(path)
  }
  for (const path of loads.keys()) visit(path)
  return findings
}

function loadedBy({ imports }: Source): string[] {
  return imports
    .filter(({ isType, isPackage, isDynamic }) => !isType && !isPackage && !isDynamic)
    .map(({ target }) => target)
}
