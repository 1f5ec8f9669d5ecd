import { useState } from 'react'
import { useProof } from '#pwa/features/auth/proof/use-proof.tsx'
import { api, parseResponse } from '#pwa/lib/api.ts'
import { Done } from '#shared/contract/auth.ts'
import { mostPeopleUnasked } from '#shared/contract/move-out.ts'
import { csvRow } from '#shared/rules/csv.ts'
import type { Column } from './list-table.tsx'
import type { ListAddress, ListDefinition } from './use-list.ts'

const pageSize = 1000

type CsvColumn<Row> = Pick<Column<Row>, 'label' | 'text'>

function toFile<Row>(columns: readonly CsvColumn<Row>[]) {
  const cells = columns.flatMap(({ label, text }) => (typeof text === 'function' ? [[label, text] as const] : text))
  return {
    head: csvRow(cells.map(([label]) => label)),
    lineOf: (row: Row) => csvRow(cells.map(([, text]) => text(row))),
  }
}

/** Loads every page of the list as searched and sorted. Uses the screen’s columns, so the file can’t differ from it. */
export function useListCsv<Row>(
  { name, request, idOf, isOfPeople }: ListDefinition<Row>,
  columns: readonly CsvColumn<Row>[],
) {
  const askFor = useAskFor(name)
  const [progress, setProgress] = useState<string | null>(null)
  const { attempt, problem } = useAttempt()
  const readAll = async (address: ListAddress) => {
    const { head, lineOf } = toFile(columns)
    const lines = [head]
    const seen = new Set<string>()
    let cursor: string | undefined
    do {
      const page = await request(address, { cursor, limit: pageSize })
      if (cursor === undefined && isOfPeople) await askFor(page.total)
      for (const row of page.rows) {
        if (!seen.has(idOf(row))) lines.push(lineOf(row))
        seen.add(idOf(row))
      }
      setProgress(`${seen.size} of ${page.total}`)
      cursor = page.next ?? undefined
    } while (cursor !== undefined)
    return lines
  }
  const download = async (address: ListAddress) => {
    setProgress('Reading')
    await attempt(async () => saveCsv(`${name}.csv`, await readAll(address)))
    setProgress(null)
  }
  /** A file that the server makes of so many rows. */
  const fetchFile = (href: string, rows: number) =>
    attempt(async () => {
      await askFor(rows)
      Object.assign(document.createElement('a'), { href, download: '' }).click()
    })
  return { download, fetchFile, problem, isBusy: progress !== null, progress: progress ?? '' }
}

function useAttempt() {
  const [problem, setProblem] = useState<Error | null>(null)
  const attempt = async (work: () => Promise<void>) => {
    setProblem(null)
    try {
      await work()
    } catch (error) {
      setProblem(error instanceof Error ? error : new Error(String(error)))
    }
  }
  return { attempt, problem }
}

/** Everyone's names and addresses in one file: nobody at an unlocked browser takes them away. */
export function useAskFor(list: string) {
  const prove = useProof()
  return async (rows: number) => {
    if (rows <= mostPeopleUnasked) return
    await prove(() => parseResponse(Done, api.api.admin.exports.lists.post({ list, rows })))
  }
}

export function saveRows<Row>(fileName: string, columns: readonly CsvColumn<Row>[], rows: readonly Row[]): void {
  const { head, lineOf } = toFile(columns)
  saveCsv(fileName, [head, ...rows.map(lineOf)])
}

/** Starts with a BOM, or Excel wouldn’t read it as UTF-8. */
export function saveCsv(fileName: string, lines: string[]) {
  const url = URL.createObjectURL(new Blob(['\uFEFF', ...lines], { type: 'text/csv' }))
  const link = Object.assign(document.createElement('a'), { href: url, download: fileName })
  link.click()
  URL.revokeObjectURL(url)
}
