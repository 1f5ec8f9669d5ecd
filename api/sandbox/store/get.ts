import { missing } from '#api/sandbox/http/errors.ts'
import type { Kind, Kinds } from '#api/sandbox/store/objects.ts'
import { findObject } from '#api/sandbox/store/store.ts'
import type { Work } from '#api/sandbox/store/work.ts'

/** The object, or Stripe's "No such …" error: 404 for the path's id, 400 when `param` names where the id came from. */
export function get<K extends Kind>(work: Work, kind: K, id: string, param?: string): Kinds[K] {
  const object = findObject(work.store, kind, id)
  if (object === null) throw missing(kind, id, param)
  return object
}
