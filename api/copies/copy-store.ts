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
