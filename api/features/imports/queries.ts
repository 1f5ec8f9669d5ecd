import { and, asc, count, desc, eq, gt, inArray, isNotNull, isNull, lt, ne, not, notExists, or, sql } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { preparedQuery } from '#api/db/query.ts'
import { auditEntries } from '#api/db/schema/audit.ts'
import { importRows, imports } from '#api/db/schema/imports.ts'
import {
  busyImportStates,
  type Import,
  type ImportFact,
  type ImportOutcome,
  type ImportRow,
  type ImportRowsQuery,
  type ImportState,
  importFacts,
} from '#shared/contract/imports.ts'
import { hasFreeAccess } from './stripe-people-service.ts'

export type StoredImport = typeof imports.$inferSelect

export const findImport = ({ db }: Context, id: string): StoredImport | undefined =>
  db.select().from(imports).where(eq(imports.id, id)).get()

/** Who had it applied or undone last, as the audit log has it. The job that does it acts for them. */
export const lastActor = ({ db }: Context, id: string): string =>
  db
    .select({ actor: auditEntries.actor })
    .from(auditEntries)
    .where(and(eq(auditEntries.targetId, id), inArray(auditEntries.action, ['import.applied', 'import.undone'])))
    .orderBy(desc(auditEntries.id))
    .get()?.actor ?? 'system'

export const listBusy = ({ db }: Context): StoredImport[] =>
  db
    .select()
    .from(imports)
    .where(inArray(imports.state, [...busyImportStates]))
    .orderBy(asc(imports.id))
    .all()

/** The import of the same file with the same options that's planned, under way or applied. One that left rows out is tried again. */
export const findSame = (
  { db }: Context,
  { kind, fileHash, options }: Pick<StoredImport, 'kind' | 'fileHash' | 'options'>,
): StoredImport | undefined =>
  db
    .select()
    .from(imports)
    .where(
      and(
        eq(imports.kind, kind),
        fileHash === null ? isNull(imports.fileHash) : eq(imports.fileHash, fileHash),
        eq(imports.options, options),
        inArray(imports.state, ['planning', 'planned', 'applying', 'applied']),
        or(ne(imports.state, 'applied'), and(isNull(imports.problem), notExists(failedRows(db)))),
      ),
    )
    .orderBy(desc(imports.id))
    .get()

export const listStored = ({ db }: Context): StoredImport[] =>
  db.select().from(imports).orderBy(desc(imports.id)).limit(100).all()

/** Tried, and nothing came of it. */
const isFailed = sql`(${importRows.outcome} = 'new' and ${importRows.doneAt} is not null and ${importRows.madeId} is null)`

const failedRows = (db: Context['db']) =>
  db
    .select({ line: importRows.line })
    .from(importRows)
    .where(and(eq(importRows.importId, imports.id), isFailed))

/** Once a plan isn't read any more, nothing of the file stays. */
export const withoutSamples = ({ kind, columns }: StoredImport): StoredImport['columns'] =>
  kind === 'members'
    ? columns.map(({ blocks: _blocks, plans: _plans, ...column }) => ({ ...column, sample: '' }))
    : columns

/** The import that made it. One that was cut off before it could note so isn't found. */
export const makerOf = preparedQuery<{ madeId: string }>()((db, { madeId }) =>
  db
    .select({ importId: importRows.importId })
    .from(importRows)
    .where(and(eq(importRows.madeId, madeId), eq(importRows.outcome, 'new'), isNull(importRows.undoneAt))),
)

/** What was found instead of made. It's this import's own unless another made it: an undo mustn't take it away. */
export const foundInstead = (ctx: Context, id: string): { madeId: string | null; reason?: string } =>
  makerOf.get(ctx, { madeId: id }) === undefined ? { madeId: id } : { madeId: null, reason: 'It was already here.' }

/** Planned before this moment, and left since. */
export const listLeft = ({ db }: Context, before: string): StoredImport[] =>
  db
    .select()
    .from(imports)
    .where(and(eq(imports.state, 'planned'), lt(imports.createdAt, before)))
    .all()

export const describeImport = (ctx: Context, row: StoredImport): Import => describeWith(row, countsOf(ctx, [row.id]))

/** However many there are, their rows are counted in two statements. */
export function describeImports(ctx: Context, rows: readonly StoredImport[]): Import[] {
  const counted = countsOf(
    ctx,
    rows.map(({ id }) => id),
  )
  return rows.map((row) => describeWith(row, counted))
}

function describeWith(row: StoredImport, counted: ReturnType<typeof countsOf>): Import {
  const { startedBy: _, fileHash: __, begun: ____, facts, ...shown } = row
  const of = (outcome: ImportOutcome) =>
    counted.outcomes.find((one) => one.importId === row.id && one.outcome === outcome)?.rows ?? 0
  const counts = { new: of('new'), existing: of('existing'), double: of('double'), refused: of('refused') }
  const rows = counts.new + counts.existing + counts.double + counts.refused
  const known = importFacts.flatMap((fact: ImportFact) => (facts[fact] ? [{ fact, count: facts[fact] }] : []))
  const { importId: ___, ...progress } = counted.progress.find(({ importId }) => importId === row.id) ?? noProgress
  const kept = row.state === 'undone' ? progress.kept : 0
  return { ...shown, rows, counts, facts: known, ...progress, kept }
}

const noProgress = { importId: '', done: 0, failed: 0, undone: 0, kept: 0, freeAccess: 0, freeUndone: 0 }

const sumOf = (condition: ReturnType<typeof and>) => sql`coalesce(sum(${condition}), 0)`.mapWith(Number)

function countsOf({ db }: Context, ids: readonly string[]) {
  const { importId, outcome, doneAt, madeId, undoneAt } = importRows
  const ofThese = inArray(importId, [...ids])
  const isMade = and(eq(outcome, 'new'), isNotNull(madeId))
  const outcomes = db
    .select({ importId, outcome, rows: count() })
    .from(importRows)
    .where(ofThese)
    .groupBy(importId, outcome)
    .all()
  const progress = db
    .select({
      importId,
      done: sumOf(isNotNull(doneAt)),
      failed: sumOf(isFailed),
      undone: sumOf(isNotNull(undoneAt)),
      kept: sumOf(and(isMade, isNull(undoneAt))),
      freeAccess: sumOf(hasFreeAccess(madeId)),
      freeUndone: sumOf(and(hasFreeAccess(madeId), isNotNull(undoneAt))),
    })
    .from(importRows)
    .where(ofThese)
    .groupBy(importId)
    .all()
  return { outcomes, progress }
}

export const rowsWithKey = preparedQuery<{ importId: string; keyHash: string }>()((db, { importId, keyHash }) =>
  db
    .select({ line: importRows.line })
    .from(importRows)
    .where(and(eq(importRows.importId, importId), eq(importRows.keyHash, keyHash))),
)

export const rowAt = preparedQuery<{ importId: string; line: number }>()((db, { importId, line }) =>
  db
    .select({ outcome: importRows.outcome, doneAt: importRows.doneAt })
    .from(importRows)
    .where(and(eq(importRows.importId, importId), eq(importRows.line, line))),
)

/** Made by the import, and not yet taken back or looked at by an undo. In order of lines after `after`. */
export const listMade = ({ db }: Context, importId: string, after: number, limit: number) =>
  db
    .select({ line: importRows.line, madeId: importRows.madeId })
    .from(importRows)
    .where(
      and(
        eq(importRows.importId, importId),
        eq(importRows.outcome, 'new'),
        isNotNull(importRows.madeId),
        isNull(importRows.undoneAt),
        gt(importRows.line, after),
      ),
    )
    .orderBy(asc(importRows.line))
    .limit(limit)
    .all()

export function setState(ctx: Context, id: string, from: ImportState, set: Partial<StoredImport>): boolean {
  const where = and(eq(imports.id, id), eq(imports.state, from))
  return ctx.db.update(imports).set(set).where(where).run().changes > 0
}

export function countBegun({ db }: Context, id: string, begun: number): void {
  db.update(imports).set({ begun }).where(eq(imports.id, id)).run()
}

export function markRow(
  { db }: Context,
  { importId, line }: { importId: string; line: number },
  set: Partial<typeof importRows.$inferInsert>,
): void {
  db.update(importRows)
    .set(set)
    .where(and(eq(importRows.importId, importId), eq(importRows.line, line)))
    .run()
}

export function countFacts(counted: StoredImport['facts'], more: StoredImport['facts']): void {
  for (const [fact, found] of Object.entries(more) as [ImportFact, number][])
    counted[fact] = (counted[fact] ?? 0) + found
}

/** What the plan counted, corrected by what came of it. */
export function addFacts(ctx: Context, id: string, more: StoredImport['facts']): void {
  const facts = { ...findImport(ctx, id)?.facts }
  countFacts(facts, more)
  ctx.db.update(imports).set({ facts }).where(eq(imports.id, id)).run()
}

const pageOfRows = 200

/** By line. The cursor is the last line of the page before. */
export function listRows(
  { db }: Context,
  importId: string,
  { limit = pageOfRows, cursor, outcome, remarked }: ImportRowsQuery,
) {
  const after = Number(cursor ?? 0)
  const wanted = and(
    eq(importRows.importId, importId),
    outcome === undefined
      ? undefined
      : outcome === 'refused'
        ? or(eq(importRows.outcome, outcome), isFailed)
        : eq(importRows.outcome, outcome),
    remarked === undefined
      ? undefined
      : and(inArray(importRows.outcome, ['new', 'existing']), isNotNull(importRows.reason), not(isFailed)),
  )
  const found = db
    .select()
    .from(importRows)
    .where(and(wanted, gt(importRows.line, Number.isSafeInteger(after) ? after : 0)))
    .orderBy(asc(importRows.line))
    .limit(limit + 1)
    .all()
  const rows: ImportRow[] = found
    .slice(0, limit)
    .map(({ line, outcome: becomes, reason, madeId, doneAt }) => ({ line, outcome: becomes, reason, madeId, doneAt }))
  const next = found.length > limit ? String(rows.at(-1)?.line) : null
  const total = () => db.select({ rows: count() }).from(importRows).where(wanted).get()?.rows ?? 0
  return { rows, next, total }
}
