import { nextMonth } from './london.ts'

/** How many more of those who joined in `cohort` paid at the end of `month` than at its beginning. */
export type Movement = { cohort: string; month: string; moved: number }

/** Who joined in a month, and how many of them paid at the end of each month since, up to the current one. */
export type Retention = { month: string; joined: number; kept: number[] }

/** Adds up the movements by month. A month without one repeats the last count. */
export function retentionOf(
  joined: readonly { cohort: string; joined: number }[],
  movements: readonly Movement[],
  lastMonth: string,
): Retention[] {
  const movedIn = new Map(movements.map(({ cohort, month, moved }) => [`${cohort} ${month}`, moved]))
  return joined.map(({ cohort, joined }) => {
    const kept: number[] = []
    for (let month = cohort; month <= lastMonth; month = nextMonth(month)) {
      kept.push((kept.at(-1) ?? 0) + (movedIn.get(`${cohort} ${month}`) ?? 0))
    }
    return { month: cohort, joined, kept }
  })
}

/** Out of a hundred who joined, how many are left after each month, over all cohorts that are old enough. */
export function averageKept(cohorts: readonly Retention[]): number[] {
  const longest = Math.max(0, ...cohorts.map(({ kept }) => kept.length))
  return Array.from({ length: longest }, (_, months) => {
    const old = cohorts.filter(({ kept }) => kept.length > months)
    const joined = old.reduce((sum, cohort) => sum + cohort.joined, 0)
    const left = old.reduce((sum, { kept }) => sum + (kept[months] ?? 0), 0)
    return joined === 0 ? 0 : (100 * left) / joined
  })
}
