import type { Context } from '#api/context.ts'
import type { ImportColumn, ImportFact, ImportOptions } from '#shared/contract/imports.ts'

/**
 * What a kind knows of the import it works on. `file` is null where there's none. `actor` asked for it, for the audit log. `entry`
 * reads a file within the open one, if it's a ZIP; null if it's larger than `most`.
 */
export type ImportTask = {
  id: string
  file: string | null
  fileName: string | null
  options: ImportOptions
  actor: string
  entry?: (name: string, most: number) => Promise<Uint8Array | null>
}

export type ReadRow<Row> = { line: number } & ({ row: Row } | { refused: string })

/** `problem` says why nothing of it can be taken yet; then `rows` isn't read. */
export type ReadFile<Row> = {
  source: string
  columns: ImportColumn[]
  problem: string | null
  rows: AsyncIterable<ReadRow<Row>>
}

/** A file is open until it's closed: its last rows may still ask for its entries. */
export type OpenedFile<Row> = ReadFile<Row> & Pick<ImportTask, 'entry'> & { close?: () => void }

/** What the lines of an address have said about emails so far. `withdrawn`: a yes, and then a no. */
export const importConsents = ['yes', 'no', 'withdrawn'] as const
export type ImportConsent = (typeof importConsents)[number]

/**
 * What would become of a row. Rows with the same `key` are doubles of the first. `madeId` is the id of ours that an existing one
 * has. `facts` are counted.
 */
export type PlannedRow = {
  outcome: 'new' | 'existing' | 'refused'
  key?: string
  reason?: string
  madeId?: string
  consent?: ImportConsent | undefined
  facts?: Partial<Record<ImportFact, number>>
}

/** `line` is the first with the same key. `consent` is what its lines have said so far. */
export type FirstLine = { line: number; consent: ImportConsent | undefined }

/** What a double changes of the plan: `consent` is its address's from then on, and `facts` may take away. */
export type PlannedDouble = Pick<PlannedRow, 'consent' | 'facts'> & { reason: string }

/** `madeId` is the id of what was made; null if it was there by then. `facts` correct what the plan counted. */
export type AppliedRow = { madeId: string | null; reason?: string; facts?: Partial<Record<ImportFact, number>> }

/**
 * A kind of import. All give the same plan, and nothing else knows a foreign format. `plan` changes nothing. `apply` may be called
 * again for a row after a crash, and throws an `AppError` for one it can't take. With `isQuick` both it and `undo` are
 * synchronous, and run in batches of one transaction.
 */
export type ImportKind<Row> = {
  open(ctx: Context, task: ImportTask): Promise<OpenedFile<Row>>
  plan(ctx: Context, row: Row, task: ImportTask): PlannedRow | Promise<PlannedRow>
  /** What the plan says of a row that repeats an earlier one. */
  planDouble?(row: Row, first: FirstLine): PlannedDouble
  /** What a row that repeats an earlier one adds to it. */
  applyDouble?(ctx: Context, row: Row, task: ImportTask): void
  /** What a row of something that's here already changes. Not marked as done, so it has to be safe to repeat. */
  applyExisting?(ctx: Context, row: Row, task: ImportTask): void
} & (
  | {
      isQuick: true
      apply(ctx: Context, row: Row, task: ImportTask): AppliedRow
      undo(ctx: Context, madeId: string, task: ImportTask): 'undone' | 'used'
    }
  | {
      isQuick: false
      apply(ctx: Context, row: Row, task: ImportTask): Promise<AppliedRow>
      undo(ctx: Context, madeId: string, task: ImportTask): Promise<'undone' | 'used'>
    }
)
