import { and, eq } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { isBusy, jobPatienceMs, whenWritable } from '#api/db/busy.ts'
import { transact } from '#api/db/open.ts'
import { importRows } from '#api/db/schema/imports.ts'
import { AppError } from '#api/errors.ts'
import { FileCutOff } from '#api/file-process.ts'
import { breathe, startTurns, transactInTurns } from '#api/jobs/turns.ts'
import { dayMs } from '#shared/rules/durations.ts'
import { hasFile, importFile, listFiles, removeFile } from './files-service.ts'
import type { AppliedRow, ImportTask, OpenedFile, ReadRow } from './kind-rules.ts'
import { findKind } from './kinds-service.ts'
import { dropAddresses } from './named-rows-queries.ts'
import { batchesOf, batchSize, goesOn, type Kind, planImport, type Work } from './plan-service.ts'
import {
  addFacts,
  countBegun,
  findImport,
  lastActor,
  listBusy,
  listLeft,
  listMade,
  markRow,
  rowAt,
  type StoredImport,
  setState,
  withoutSamples,
} from './queries.ts'

/** Does what owners have started, oldest first, and goes on where a killed server stopped. */
export async function runImports(ctx: Context, { stopping }: { stopping: AbortSignal | undefined }) {
  const report = { planned: 0, applied: 0, undone: 0 }
  const failures: unknown[] = []
  for (const row of listBusy(ctx)) {
    if (stopping?.aborted) break
    const kind = findKind(row.kind)
    if (kind === undefined) continue
    const { id, fileName, options } = row
    const file = fileName === null ? null : importFile(ctx, id)
    const task = { id, fileName, options, file, actor: lastActor(ctx, id) }
    const work: Work = { kind, task, stopping }
    await whenWritable(ctx, jobPatienceMs)
    if (!begin(ctx, row)) continue
    try {
      if (row.state === 'planning') report.planned += Number(await planImport(ctx, work))
      if (row.state === 'applying') report.applied += Number(await apply(ctx, work))
      if (row.state === 'undoing') report.undone += Number(await undo(ctx, work))
    } catch (error) {
      failures.push(error)
    }
    await whenWritable(ctx, jobPatienceMs)
    // Otherwise it has ended with the server.
    if (!stopping?.aborted) countBegun(ctx, id, 0)
  }
  // It didn't hold up the others, and is tried again.
  if (failures.length > 0) throw failures[0]
  return report
}

/** The first time, and twice more if the server ended meanwhile. */
const mostBegun = 3

const endsTheServer =
  'The server stopped three times while we read this file, so we’ve left it. Split it into smaller files and try those.'

/** Whether it may be begun. A file that ends the server mustn't do so after each start. */
function begin(ctx: Context, { id, state, fileName, begun }: StoredImport): boolean {
  if (fileName === null || state === 'undoing') return true
  if (begun < mostBegun) {
    countBegun(ctx, id, begun + 1)
    return true
  }
  const appliedAt = ctx.now().toISOString()
  if (state === 'planning') setState(ctx, id, state, { state: 'planned', problem: endsTheServer })
  else setState(ctx, id, state, { state: 'applied', appliedAt, problem: endsTheServer })
  countBegun(ctx, id, 0)
  return false
}

const lostFile = 'We lost the file before we’d finished. Choose it again to move in the rest.'

/** Each row once: those done before a restart are skipped. */
async function apply(ctx: Context, work: Work): Promise<boolean> {
  const { task } = work
  const appliedAt = ctx.now().toISOString()
  // A backup that was restored meanwhile has the import, and not its file.
  if (task.fileName !== null && !hasFile(ctx, task.id))
    return setState(ctx, task.id, 'applying', { state: 'applied', appliedAt, problem: lostFile })
  const problem = await applyFile(ctx, work)
  if (!goesOn(ctx, work, 'applying')) return false
  const isOver = setState(ctx, task.id, 'applying', { state: 'applied', appliedAt: ctx.now().toISOString(), problem })
  if (isOver) removeFile(ctx, task.id)
  return isOver
}

/** What kept us from reading the file to its end; null if nothing did. */
async function applyFile(ctx: Context, work: Work): Promise<string | null> {
  const { kind, task: planned } = work
  let opened: OpenedFile<unknown> | null = null
  try {
    opened = await kind.open(ctx, planned)
    const { rows, entry } = opened
    const task = entry === undefined ? planned : { ...planned, entry }
    let isFurther = false
    for await (const batch of batchesOf(rows)) {
      if (!goesOn(ctx, work, 'applying')) return null
      const done = await applyBatch(ctx, { ...work, task }, batch)
      if (done > 0 && !isFurther) countBegun(ctx, task.id, 0)
      isFurther ||= done > 0
    }
    return null
  } catch (error) {
    if (!(error instanceof FileCutOff)) throw error
    return `${error.message} What we’d read by then is in.`
  } finally {
    opened?.close?.()
  }
}

/** How many rows it finished. */
async function applyBatch(ctx: Context, work: Work, batch: ReadRow<unknown>[]): Promise<number> {
  const { kind, task } = work
  let done = 0
  if (kind.isQuick) {
    await transactInTurns(ctx, batch, (read) => {
      done += Number(applyQuick(ctx, kind, task, read))
    })
    return done
  }
  const nextTurn = startTurns()
  for (const read of batch) {
    if (!goesOn(ctx, work, 'applying')) break
    done += Number(await applySlow(ctx, kind, task, read))
    await nextTurn()
  }
  return done
}

type Quick = Extract<Kind, { isQuick: true }>
type Slow = Extract<Kind, { isQuick: false }>

/** What the plan said of a row that's still to be done. */
function openRow(ctx: Context, importId: string, read: ReadRow<unknown>): 'new' | 'double' | 'existing' | null {
  const row = rowAt.get(ctx, { importId, line: read.line })
  if (row === undefined || row.doneAt !== null || 'refused' in read) return null
  return row.outcome === 'refused' ? null : row.outcome
}

/** Whether it finished the row. */
function applyQuick(ctx: Context, kind: Quick, task: ImportTask, read: ReadRow<unknown>): boolean {
  const outcome = openRow(ctx, task.id, read)
  if (outcome === null || !('row' in read)) return false
  if (outcome === 'existing') {
    kind.applyExisting?.(ctx, read.row, task)
    return false
  }
  try {
    finishRow(
      ctx,
      task.id,
      read.line,
      outcome === 'new' ? kind.apply(ctx, read.row, task) : addDouble(ctx, kind, task, read.row),
    )
  } catch (error) {
    finishRow(ctx, task.id, read.line, refusalOf(ctx, task, error))
  }
  return true
}

async function applySlow(ctx: Context, kind: Slow, task: ImportTask, read: ReadRow<unknown>): Promise<boolean> {
  const outcome = openRow(ctx, task.id, read)
  if (outcome === null || outcome === 'existing' || !('row' in read)) return false
  const applied =
    outcome === 'double'
      ? addDouble(ctx, kind, task, read.row)
      : await kind.apply(ctx, read.row, task).catch((error) => refusalOf(ctx, task, error))
  await whenWritable(ctx, jobPatienceMs)
  transact(ctx, () => finishRow(ctx, task.id, read.line, applied))
  return true
}

function addDouble(ctx: Context, kind: Kind, task: ImportTask, row: unknown): AppliedRow {
  kind.applyDouble?.(ctx, row, task)
  return { madeId: null }
}

/** A fault of one row doesn't hold up the others. A fault of the database or of Stripe does: the job is repeated. */
function refusalOf(ctx: Context, { id }: ImportTask, error: unknown): AppliedRow {
  const isOfRow = error instanceof AppError && !(error instanceof FileCutOff)
  if (!isOfRow || isBusy(error) || error.code === 'payment_provider_unavailable') throw error
  // Without a form there are no marked fields, so each field's own sentence says why.
  const sentences = [...new Set(Object.values(error.fields ?? {}))]
  const reason = sentences.length === 0 ? error.message : sentences.join(' ')
  ctx.log.info('row not imported', { import: id, reason })
  return { madeId: null, reason }
}

function finishRow(ctx: Context, importId: string, line: number, { madeId, reason, facts }: AppliedRow): void {
  const doneAt = ctx.now().toISOString()
  if (facts !== undefined) addFacts(ctx, importId, facts)
  markRow(ctx, { importId, line }, { doneAt, madeId, ...(reason === undefined ? {} : { reason }) })
}

async function undo(ctx: Context, work: Work): Promise<boolean> {
  const { kind, task } = work
  let after = 0
  for (;;) {
    if (!goesOn(ctx, work, 'undoing')) return false
    const made = listMade(ctx, task.id, after, batchSize)
    if (made.length === 0) break
    after = made.at(-1)?.line ?? after
    if (kind.isQuick)
      await transactInTurns(ctx, made, (row) => takeBack(ctx, task.id, row, kind.undo(ctx, row.madeId ?? '', task)))
    else for (const row of made) takeBack(ctx, task.id, row, await kind.undo(ctx, row.madeId ?? '', task))
    await breathe()
  }
  return setState(ctx, task.id, 'undoing', { state: 'undone', undoneAt: ctx.now().toISOString() })
}

function takeBack(ctx: Context, importId: string, { line }: { line: number }, outcome: 'undone' | 'used'): void {
  const set =
    outcome === 'undone' ? { undoneAt: ctx.now().toISOString() } : { reason: 'It’s been used since, so we left it.' }
  ctx.db
    .update(importRows)
    .set(set)
    .where(and(eq(importRows.importId, importId), eq(importRows.line, line)))
    .run()
}

const retentionDays = 7

/** Cancels plans left for a week, and deletes their files. */
export function removeOldImports(ctx: Context): number {
  const before = new Date(ctx.now().getTime() - retentionDays * dayMs).toISOString()
  const left = listLeft(ctx, before)
  for (const row of left) {
    setState(ctx, row.id, 'planned', { state: 'cancelled', columns: withoutSamples(row) })
    if (row.kind === 'stripe') dropAddresses(ctx, row.id)
  }
  const isNeeded = (id: string) => ['planning', 'planned', 'applying'].includes(findImport(ctx, id)?.state ?? '')
  for (const id of listFiles(ctx)) if (!isNeeded(id)) removeFile(ctx, id)
  return left.length
}
