export function listedIds(requirements: string): Set<string> {
  return new Set([...requirements.matchAll(/^- \*\*([A-Z]+-\d+)\*\* /gm)].map(([, id = '']) => id))
}

/** Test titles: the first argument of `test`, `it` and `describe`, with or without `.each(…)`. */
const titles =
  /\b(?:test|it|describe)(?:\.[a-z]+)*(?:\((?:\[[\s\S]*?\](?: as const)?|[a-zA-Z.]+)\))?\(\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1/g

export const titlesIn = (source: string): string[] => [...source.matchAll(titles)].map(([, , title = '']) => title)

/** The IDs in a file's test titles. `areas` are the known prefixes: `JOIN-99` is an ID, listed or not. `SHA-256` isn't. */
export function namedIds(source: string, areas: ReadonlySet<string>): string[] {
  return titlesIn(source).flatMap((title) =>
    [...title.matchAll(/\b([A-Z]+)-\d+\b/g)].filter(([, area = '']) => areas.has(area)).map(([id]) => id),
  )
}
