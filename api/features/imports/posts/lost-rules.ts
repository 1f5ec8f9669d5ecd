import { plural } from '#shared/rules/plural.ts'

/** What's lost, counted: “2 scripts”. */
export const countLost = (lost: ReadonlyMap<string, number>): string[] =>
  [...lost].map(([what, count]) => countOf(what, count))

function countOf(what: string, count: number): string {
  const at = what.search(/ from |,| that /)
  return at < 0 ? plural(count, what) : `${plural(count, what.slice(0, at))}${what.slice(at)}`
}
