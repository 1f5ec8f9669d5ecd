import * as v from 'valibot'
import { openReadOnly, type Sqlite } from './open.ts'
import type { HasDb } from './query.ts'
import { readSetting, writeSetting } from './stored-settings.ts'

/**
 * Which copy of the database this is. The number rises with each restore and takeover, and the id tells two copies of the same
 * number apart.
 */
export const Generation = v.object({ number: v.pipe(v.number(), v.integer(), v.minValue(1)), id: v.string() })
export type Generation = v.InferOutput<typeof Generation>

type HasGeneration = HasDb & { sqlite: Sqlite; now(): Date; newId(): string }

const key = 'generation'

const known = new WeakMap<Sqlite, Generation>()

/** A new database gives itself one when it's first asked. It never changes while the database is open. */
export function generationOf(ctx: HasGeneration): Generation {
  const cached = known.get(ctx.sqlite)
  if (cached !== undefined) return cached
  const stored = v.safeParse(Generation, readSetting(ctx, key)?.value)
  if (!stored.success) return writeGeneration(ctx, 1)
  known.set(ctx.sqlite, stored.output)
  return stored.output
}

/** Makes this copy a newer one than any before. `least`: the highest number known elsewhere. */
export const renewGeneration = (ctx: HasGeneration, least: number): Generation =>
  writeGeneration(ctx, Math.max(generationOf(ctx).number, least) + 1)

/** Not remembered until it's read again: the transaction it's part of may still fail. */
function writeGeneration(ctx: HasGeneration, number: number): Generation {
  const generation = { number, id: ctx.newId() }
  writeSetting(ctx, key, generation)
  known.delete(ctx.sqlite)
  return generation
}

/** As phones are told. */
export function generationLabel(ctx: HasGeneration): string {
  const { number, id } = generationOf(ctx)
  return `${number}.${id}`
}

/** The number in a file that isn't in use, of any version. 0 if there's none to read. */
export function numberIn(file: string): number {
  try {
    const db = openReadOnly(file)
    try {
      return v.parse(Generation, readSetting({ db }, key)?.value).number
    } finally {
      db.$client.close()
    }
  } catch {
    return 0
  }
}
