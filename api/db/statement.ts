import { Column, type DriverValueDecoder, fillPlaceholders, is, type SQL, sql } from 'drizzle-orm'
import type { SelectResultFields } from 'drizzle-orm/query-builders/select.types'
import { SQLiteSyncDialect } from 'drizzle-orm/sqlite-core'
import {
  type HasDb,
  type Parameters,
  type Placeholders,
  perDatabase,
  placeholders,
  runTimed,
  type Values,
} from './query.ts'

/** What a statement selects: schema columns, and expressions with a decoder (`mapWith`). */
type Field = Column | SQL
type Fields = Record<string, Field>

export type Statement<P extends Parameters, F extends Fields> = {
  all(ctx: HasDb, ...values: Values<P>): SelectResultFields<F>[]
  get(ctx: HasDb, ...values: Values<P>): SelectResultFields<F> | undefined
  run(ctx: HasDb, ...values: Values<P>): { changes: number }
}

/**
 * Hand-written SQL, for the few places where the builder cannot say it or is measurably slower
 * (docs/decisions/021-queries-checked-by-the-compiler.md lists their files). Tables and columns are interpolated from the
 * schema, so that a renamed one fails to compile; the row's type comes from the selected fields. A column that a left join
 * may leave out is selected by `nullable`.
 *
 *     const netByTier = statement<{ from: string }>()(
 *       { tierSlug: invoices.tierSlug, net: total(invoices.net) },
 *       (fields, { from }) => sql`select ${fields} from ${invoices} where ${invoices.taxPoint} >= ${from} group by 1`,
 *     )
 *     netByTier.all(ctx, { from: '2026-04-01' })
 */
export const statement =
  <P extends Parameters = Record<never, never>>() =>
  <F extends Fields>(fields: F, write: (fields: SQL, parameters: Placeholders<P>) => SQL): Statement<P, F> => {
    const compiled = perDatabase((db) => {
      const query = new SQLiteSyncDialect().sqlToQuery(write(selectList(fields), placeholders<P>()))
      const runs = db.$client.prepare<unknown[], Record<string, unknown>>(query.sql)
      const bind = (values: Parameters = {}) => fillPlaceholders(query.params, values)
      const textOf = () => query.sql
      return {
        all: (values?: Parameters) => runTimed(db, textOf, () => runs.all(...bind(values))),
        get: (values?: Parameters) => runTimed(db, textOf, () => runs.get(...bind(values))),
        run: (values?: Parameters) => runTimed(db, textOf, () => runs.run(...bind(values))),
      }
    })
    const toRow = rowReader(fields)
    return {
      all: ({ db }, ...[values]) => compiled(db).all(values).map(toRow),
      get: ({ db }, ...[values]) => {
        const row = compiled(db).get(values)
        return row === undefined ? undefined : toRow(row)
      },
      run: ({ db }, ...[values]) => compiled(db).run(values),
    }
  }

/** The columns an insert lists, without table names, as SQL requires. */
export const namesOf = (...columns: Column[]): SQL =>
  sql`(${sql.join(
    columns.map(({ name }) => sql.identifier(name)),
    sql`, `,
  )})`

const selectList = (fields: Fields): SQL =>
  sql.join(
    Object.entries(fields).map(([name, field]) => sql`${field} as ${sql.identifier(name)}`),
    sql`, `,
  )

/** Decodes a row in place. The type is right because each cell passes through its field's decoder. */
function rowReader<F extends Fields>(fields: F): (row: Record<string, unknown>) => SelectResultFields<F> {
  const decoders = Object.entries(fields)
    .map(([name, field]) => ({ name, decoder: decoderOf(field) }))
    .filter(({ decoder }) => decoder.mapFromDriverValue !== Column.prototype.mapFromDriverValue)
  return (row) => {
    for (const { name, decoder } of decoders) {
      const cell = row[name]
      if (cell !== null) row[name] = decoder.mapFromDriverValue(cell)
    }
    return row as SelectResultFields<F>
  }
}

/** A column decodes itself. An expression has the decoder from `mapWith`, which Drizzle's types hide. */
function decoderOf(field: Field): DriverValueDecoder<unknown, unknown> {
  if (is(field, Column)) return field
  if ('decoder' in field) return field.decoder as DriverValueDecoder<unknown, unknown>
  throw new Error('This version of Drizzle keeps the decoder of an expression elsewhere.')
}
