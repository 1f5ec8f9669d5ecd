import * as v from 'valibot'
import { Generation } from '#api/db/generation.ts'
import type { ObjectStore } from '#api/object-store/store.ts'

// In the store, beside each other: what Litestream writes, a folder for each machine, and which generation of the database is the
// newest, a file for the first start and each takeover. No file is ever written twice, so two machines can't both take over.

const copiesFolder = 'copies/'
const generationsFolder = 'generations/'

/** `machine` has the site since `at`. */
export const StoredGeneration = v.object({ ...Generation.entries, machine: v.string(), at: v.string() })
export type StoredGeneration = v.InferOutput<typeof StoredGeneration>

const nameOf = (number: number) => `${generationsFolder}${String(number).padStart(12, '0')}.json`

/** Null if no machine has begun or taken over. */
export async function newestGeneration(store: ObjectStore): Promise<StoredGeneration | null> {
  const names = (await store.list(generationsFolder)).map(({ name }) => name)
  const last = names.filter((name) => /\/\d{12}\.json$/.test(name)).at(-1)
  return last === undefined ? null : readGenerationAt(store, last)
}

const readGenerationAt = async (store: ObjectStore, name: string) =>
  v.parse(v.pipe(v.string(), v.parseJson(), StoredGeneration), await store.read(name))

/** False if another machine was quicker. A response that was lost may have been our own, so the file decides. */
export async function claimGeneration(store: ObjectStore, generation: StoredGeneration): Promise<boolean> {
  const name = nameOf(generation.number)
  await store.create(name, JSON.stringify(generation))
  return (await readGenerationAt(store, name)).id === generation.id
}

/** Whether the store refuses to write a name twice. If it doesn't, two machines could take over at the same time. */
export async function refusesSecondWrite(store: ObjectStore, id: string): Promise<boolean> {
  const name = `${generationsFolder}check-${id}`
  try {
    await store.create(name, '1')
    return !(await store.create(name, '2'))
  } catch (error) {
    if (error instanceof Error && error.message.includes('NotImplemented')) return false
    throw error
  } finally {
    await store.remove(name).catch(() => {})
  }
}

/** When each machine last copied something. */
export async function newestCopies(store: ObjectStore): Promise<Map<string, string>> {
  const newest = new Map<string, string>()
  for (const { name, storedAt } of await store.list(copiesFolder)) {
    const machine = name.split('/')[1] ?? ''
    if ((newest.get(machine) ?? '') < storedAt) newest.set(machine, storedAt)
  }
  return newest
}

/**
 * By which Litestream. 0.3 keeps generations, each with whole copies and pieces of the log; 0.5 keeps LTX files, in `0000` as they’re
 * written, and in `0001` to `0009` put together.
 */
export type CopyFormat = '0.3' | '0.5'
export type CopyObject = { format: CopyFormat; name: string; storedAt: string }

/** All that a machine copied, the oldest first. `name` is below its folder. */
export async function copyObjects(store: ObjectStore, machine: string): Promise<CopyObject[]> {
  const folder = `${copiesFolder}${machine}/`
  return (await store.list(folder))
    .map(({ name, storedAt }): CopyObject => {
      const below = name.slice(folder.length)
      return { format: below.endsWith('.ltx') ? '0.5' : '0.3', name: below, storedAt }
    })
    .sort((one, other) => (one.storedAt < other.storedAt ? -1 : 1))
}

/** The server writes every minute, if only its heartbeat, so a copy is never much older. */
export const oldCopyMs = 5 * 60_000

/** When something was last copied before a time. `isGap`: nobody copied for a while then, or the server would have written. */
export function copiedBefore(objects: readonly CopyObject[], at: string): { copiedTo: string; isGap: boolean } | null {
  const copiedTo = objects.findLast(({ storedAt }) => storedAt <= at)?.storedAt
  return copiedTo === undefined ? null : { copiedTo, isGap: Date.parse(at) - Date.parse(copiedTo) > quietMs }
}

/** Two heartbeats. 0.5 puts its pieces together, so after some minutes they're half a minute coarse. */
const quietMs = 2 * 60_000

/**
 * The generation of 0.3 that a time falls into. `isOver`: after its last change. Null if the copies don’t reach back so far: without a
 * whole copy from before it there’s nothing to begin with.
 */
export function generationAt(
  objects: readonly CopyObject[],
  at: string,
): { generation: string; isOver: boolean } | null {
  const before = objects.filter(({ storedAt }) => storedAt <= at)
  const generation = before.findLast(({ name }) => name.includes('/snapshots/') && isFirstWhole(objects, name))
  const name = generation === undefined ? undefined : generationIn(generation.name)
  if (name === undefined) return null
  const last = objects.findLast((object) => generationIn(object.name) === name)
  return { generation: name, isOver: at > (last?.storedAt ?? '') }
}

const generationIn = (name: string) => /^generations\/([0-9a-f]+)\//.exec(name)?.[1]

/** A generation begins with it; later ones are made each day. */
const isFirstWhole = (objects: readonly CopyObject[], name: string) =>
  objects.find((object) => object.name.includes('/snapshots/') && generationIn(object.name) === generationIn(name))
    ?.name === name

/** The newest object of a machine. `folders`: those it had then. `at`: until when everything is in the copies. */
export type LookedAt = { name: string; folders: string; at: Date }

/** Says again what was copied before. */
const isPutTogether = (name: string) => /\/000[1-9]\/[^/]+\.ltx$/.test(name)
/** In the folder where the next change will be. */
const isChange = (name: string) => /\/(wal|0000)\/[^/]+$/.test(name)

/**
 * Of a machine that was looked at before, only what came since is listed: a week has many thousands. A store that’s slow to answer was
 * as slow to take the copy, so what’s in it is older by that than the store says. Null if there’s none.
 */
export async function lookAtCopies(
  store: ObjectStore,
  machine: string,
  before: LookedAt | null = null,
): Promise<LookedAt | null> {
  const folder = `${copiesFolder}${machine}/`
  const from = performance.now()
  const [levels, generations] = await Promise.all([store.folders(folder), store.folders(`${folder}generations/`)])
  const tookMs = performance.now() - from
  const folders = [...levels, ...generations].join()
  const after = before?.folders === folders && isChange(before.name) ? before.name : null
  const listed = after === null ? await store.list(folder) : await store.list(after.replace(/[^/]*$/, ''), after)
  const fresh = listed.filter(({ name }) => !isPutTogether(name))
  const [newest] = (fresh.length > 0 ? fresh : listed).toSorted((one, other) =>
    one.storedAt > other.storedAt ? -1 : 1,
  )
  if (newest === undefined) return after === null ? null : before
  return { name: newest.name, folders, at: new Date(Date.parse(newest.storedAt) - tookMs) }
}
