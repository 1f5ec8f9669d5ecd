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

export function readGeneration(ctx: HasDb): Generation | null {
  const stored = v.safeParse(Generation, readSetting(ctx, key)?.value)
  return stored.success ? stored.output : null
}

/** When this copy came out of a backup or took over; null if it never did. */
export function restoredAt(ctx: HasDb): string | null {
  const { number } = readGeneration(ctx) ?? { number: 1 }
  return number === 1 ? null : (readSetting(ctx, key)?.updatedAt ?? null)
}

/** A new database gives itself one when it's first asked. It never changes while the database is open. */
export function generationOf(ctx: HasGeneration): Generation {
  const cached = known.get(ctx.sqlite)
  if (cached !== undefined) return cached
  const stored = readGeneration(ctx)
  if (stored === null) return writeGeneration(ctx, { number: 1, id: ctx.newId() })
  known.set(ctx.sqlite, stored)
  return stored
}

/**
 * Makes a restored copy another one than any before. `old` is of the database it replaces, `newest` what the store holds. Where the
 * newest isn't ours, another machine has the site: this copy stays behind it, however often it's restored.
 */
export function renewGeneration(
  ctx: HasGeneration,
  { old, newest }: { old: Generation | null; newest: Generation | null },
): Generation {
  const next = Math.max(generationOf(ctx).number, old?.number ?? 0) + 1
  const isOurs = newest === null || (old !== null && !isNewer(newest, old))
  return writeGeneration(ctx, { number: isOurs ? next : Math.min(next, newest.number), id: ctx.newId() })
}

/** Whether `other` has taken the place of `own`. */
export const isNewer = (other: Generation, own: Generation): boolean =>
  other.number > own.number || (other.number === own.number && other.id !== own.id)

/** Not remembered until it's read again: the transaction it's part of may still fail. */
export function writeGeneration(ctx: HasGeneration, generation: Generation): Generation {
  writeSetting(ctx, key, generation)
  known.delete(ctx.sqlite)
  return generation
}

/** As phones are told. */
export function generationLabel(ctx: HasGeneration): string {
  const { number, id } = generationOf(ctx)
  return `${number}.${id}`
}

/** Of a file that isn't in use, of any version. Null if there's none to read. */
export function generationIn(file: string): Generation | null {
  try {
    const db = openReadOnly(file)
    try {
      return readGeneration({ db })
    } finally {
      db.$client.close()
    }
  } catch {
    return null
  }
}
