import { plural } from '#shared/rules/plural.ts'

/** What's lost, counted: “2 scripts”. */
export const countLost = (lost: ReadonlyMap<string, number>): string[] =>
  [...lost].map(([what, count]) => countOf(what, count))

function countOf(what: string, count: number): string {
  const [, thing = what, rest = ''] = /^([^,]*?)((?: from |,| that ).*)?$/.exec(what) ?? []
  return `${plural(count, thing)}${rest}`
}
