import { useState } from 'react'

/** The rows that are ticked, among those that are shown. */
export type Chosen<Row> = { rows: readonly Row[]; has: (id: string) => boolean; set: (ids: readonly string[]) => void }

export function useChosen<Row>(rows: readonly Row[], idOf: (row: Row) => string): Chosen<Row> {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  return {
    rows: rows.filter((row) => ids.has(idOf(row))),
    has: (id) => ids.has(id),
    set: (chosen) => setIds(new Set(chosen)),
  }
}
