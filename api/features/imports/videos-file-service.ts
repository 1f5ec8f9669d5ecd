import type { ImportColumn } from '#shared/contract/imports.ts'
import type { ReadFile, ReadRow } from './kind-rules.ts'
import { tooLong } from './long-values-rules.ts'
import { readHeadings, readTable } from './table-service.ts'
import { columnsOfVideos, readVideo, type VideoRow } from './videos-rules.ts'

/** A file of videos, in the process that reads it. */
export async function openVideos(file: string): Promise<ReadFile<VideoRow>> {
  const rows = readTable(file)
  const headings = await readHeadings(rows)
  const { source, at } = columnsOfVideos(headings)
  const missing = at.title === undefined ? 'titles' : at.address === undefined ? 'addresses' : null
  const columns = headings.map((heading, index): ImportColumn => {
    const field = Object.entries(at).find(([, place]) => place === index)?.[0] ?? null
    return { heading: heading.slice(0, 200), sample: '', field }
  })
  const problem =
    missing === null
      ? null
      : `No column has the videos’ ${missing}. Call one “${missing === 'titles' ? 'Title' : 'Address'}”.`
  return { source, columns, problem, rows: readRows(rows, at) }
}

async function* readRows(
  rows: ReturnType<typeof readTable>,
  at: ReturnType<typeof columnsOfVideos>['at'],
): AsyncGenerator<ReadRow<VideoRow>> {
  for await (const { line, cells, isTooLong } of rows)
    yield { line, ...(isTooLong ? { refused: tooLong } : readVideo(cells, at)) }
}
