import { eq } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { isBusy, jobPatienceMs, whenWritable } from '#api/db/busy.ts'
import { insertRow } from '#api/db/insert.ts'
import { importRows } from '#api/db/schema/imports.ts'
import { isDamageError, isStorageError } from '#api/db/sqlite-errors.ts'
import { AppError } from '#api/errors.ts'
import { startTurns, transactInTurns } from '#api/jobs/turns.ts'
import { errorMessage } from '#api/log.ts'
import { keyedHash } from '#api/secrets.ts'
import type { ImportFact } from '#shared/contract/imports.ts'
import {
  type ImportConsent,
  type ImportTask,
  importConsents,
  type OpenedFile,
  type PlannedRow,
  type ReadRow,
} from './kind-rules.ts'
import type { findKind } from './kinds-service.ts'
import { countFacts, findImport, rowsWithKey, type StoredImport, setState } from './queries.ts'

export type Kind = NonNullable<ReturnType<typeof findKind>>
export type Work = { kind: Kind; task: ImportTask; stopping: AbortSignal | undefined }

/** How many rows are held at once. */
export const batchSize = 100

/** Whether there's still something to do: it wasn't cancelled, and the server isn't stopping. */
export const goesOn = (ctx: Context, { task, stopping }: Work, state: StoredImport['state']) =>
  !stopping?.aborted && findImport(ctx, task.id)?.state === state

/** What a plan gathers as it's made. `consents` are those of each first line of an address. */
type Gathered = { facts: Partial<Record<ImportFact, number>>; consents: Consents }

/** From the start each time: it changes nothing, and takes seconds. */
export async function planImport(ctx: Context, work: Work): Promise<boolean> {
  const { kind, task } = work
  const gathered: Gathered = { facts: {}, consents: keepConsents() }
  const { facts } = gathered
  await whenWritable(ctx, jobPatienceMs)
  ctx.db.delete(importRows).where(eq(importRows.importId, task.id)).run()
  const planned = { state: 'planned', facts, problem: null as string | null } as const
  let opened: OpenedFile<unknown> | null = null
  try {
    opened = await kind.open(ctx, task)
    const { source, columns, problem, rows } = opened
    if (problem === null)
      for await (const batch of batchesOf(rows)) {
        if (!goesOn(ctx, work, 'planning')) return false
        await planBatch(ctx, work, { batch, gathered })
      }
    await whenWritable(ctx, jobPatienceMs)
    return setState(ctx, task.id, 'planning', { ...planned, source, columns, problem })
  } catch (error) {
    if (isOfDatabase(error)) throw error
    if (!(error instanceof AppError)) ctx.log.error('import not read', { id: task.id, reason: errorMessage(error) })
    const problem = error instanceof AppError ? error.message : 'We couldn’t read this file. Is it the right one?'
    await whenWritable(ctx, jobPatienceMs)
    return setState(ctx, task.id, 'planning', { ...planned, problem })
  } finally {
    opened?.close?.()
  }
}

/** The file may be fine: the job is repeated. */
const isOfDatabase = (error: unknown) => isBusy(error) || isStorageError(error) || isDamageError(error)

async function planBatch(
  ctx: Context,
  work: Work,
  { batch, gathered }: { batch: ReadRow<unknown>[]; gathered: Gathered },
): Promise<void> {
  const found: PlannedLine[] = []
  const nextTurn = startTurns()
  for (const read of batch) {
    found.push({ read, planned: await planOf(ctx, work, read) })
    await nextTurn()
  }
  await transactInTurns(ctx, found, (one) => writePlan(ctx, work, one, gathered))
}

async function planOf(ctx: Context, { kind, task }: Work, read: ReadRow<unknown>): Promise<PlannedRow> {
  if ('refused' in read) return { outcome: 'refused', reason: read.refused }
  return kind.plan(ctx, read.row, task)
}

type PlannedLine = { read: ReadRow<unknown>; planned: PlannedRow }

function writePlan(ctx: Context, work: Work, { read, planned }: PlannedLine, { facts, consents }: Gathered): void {
  const { line } = read
  const { id: importId } = work.task
  const { key, madeId } = planned
  const keyHash = key === undefined ? null : keyedHash(ctx, 'import', key)
  const first = keyHash === null ? undefined : rowsWithKey.get(ctx, { importId, keyHash })
  const found =
    first === undefined ? planned : doubleOf(work, read, { line: first.line, consent: consents.of(first.line) })
  const outcome = first === undefined ? planned.outcome : 'double'
  insertRow(ctx, importRows, { importId, line, keyHash, madeId: madeId ?? null, outcome, reason: found.reason ?? null })
  if (found.consent !== undefined) consents.keep(first?.line ?? line, found.consent)
  countFacts(facts, found.facts ?? {})
}

const doubleOf = ({ kind }: Work, read: ReadRow<unknown>, first: Parameters<NonNullable<Kind['planDouble']>>[1]) =>
  kind.planDouble !== undefined && 'row' in read
    ? kind.planDouble(read.row, first)
    : { reason: `The same as line ${first.line}.` }

type Consents = ReturnType<typeof keepConsents>

/** A byte for each line, so that a file of 200,000 takes no more memory than a short one. */
function keepConsents() {
  let codes = new Uint8Array(1024)
  return {
    of: (line: number) => importConsents[(codes[line] ?? 0) - 1],
    keep(line: number, consent: ImportConsent) {
      if (line >= codes.length) {
        const longer = new Uint8Array(line * 2)
        longer.set(codes)
        codes = longer
      }
      codes[line] = importConsents.indexOf(consent) + 1
    },
  }
}

export async function* batchesOf<Row>(rows: AsyncIterable<ReadRow<Row>>): AsyncGenerator<ReadRow<Row>[]> {
  let batch: ReadRow<Row>[] = []
  for await (const row of rows) {
    batch.push(row)
    if (batch.length < batchSize) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}
