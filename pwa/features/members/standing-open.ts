/** From this place on, categories start closed. */
export const firstClosedPlace = 3

/** Category → whether it stands open. */
export type OpenByName = Readonly<Record<string, boolean>>

/** What the member chose before, kept on this device; null where he never has. */
export type ChosenOpen = OpenByName | null

/** This visit: what was opened and closed in it, and the categories that hold a tick which waits or was refused. */
export type Visit = { shown: OpenByName; working: readonly string[] }

export const newVisit: Visit = { shown: {}, working: [] }

/** `chosen` is what the member chose before, kept on this device; the visit outranks it. */
export const standsOpen = (chosen: OpenByName, { shown }: Visit, category: string): boolean =>
  shown[category] ?? chosen[category] ?? false

/** Work that has just appeared opens its category; it stays so for the visit, unless the member closes it. */
export function withWork(visit: Visit, working: readonly string[]): Visit {
  const fresh = working.filter((category) => !visit.working.includes(category))
  if (fresh.length === 0 && working.length === visit.working.length) return visit
  return { working, shown: { ...visit.shown, ...Object.fromEntries(fresh.map((category) => [category, true])) } }
}

export const withChoice = (visit: Visit, category: string, isOpen: boolean): Visit => ({
  ...visit,
  shown: { ...visit.shown, [category]: isOpen },
})
