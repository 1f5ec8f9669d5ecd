import type { Statement } from 'better-sqlite3'
import type { Context } from '#api/context.ts'
import type { Asked } from './ready-bytes.ts'

type Kept = { version: string; bytes: Uint8Array<ArrayBuffer>; etag: string }

/**
 * Answers that are the same for many: made once per version, then handed out as they are, with an ETag. `build` must
 * return the parsed contract value, since a ready answer passes no response schema.
 */
const keptOf = new WeakMap<Context, Map<string, Kept>>()

/** Changes with every commit of another process, and with every change of ours to what is kept. */
export const databaseVersion = (ctx: Context): string => `${outsideVersion(ctx)}.${ownVersion(ctx)}`

/** Changes with every commit of another process, whatever it wrote. */
export function outsideVersion(ctx: Context): number | undefined {
  const outside = outsideOf.get(ctx) ?? ctx.sqlite.prepare<[], number>('pragma data_version').pluck()
  outsideOf.set(ctx, outside)
  return outside.get()
}

/** `endsAt` in ms since 1970. */
type Revision = { count: number; endsAt: number }

/** Changes with every change of ours to what is kept, and when something in it becomes due. */
export function ownVersion(ctx: Context): number {
  const revision = revisionOf(ctx)
  if (revision.endsAt <= ctx.now().getTime()) forgetKeptAnswers(ctx)
  return revision.count
}

const outsideOf = new WeakMap<Context, Statement<[], number>>()
const revisions = new WeakMap<Context, Revision>()

function revisionOf(ctx: Context): Revision {
  const known = revisions.get(ctx) ?? { count: 0, endsAt: Number.POSITIVE_INFINITY }
  revisions.set(ctx, known)
  return known
}

/** To be called after this process has changed tiers, videos or posts. */
export function forgetKeptAnswers(ctx: Context): void {
  const revision = revisionOf(ctx)
  revision.count += 1
  revision.endsAt = Number.POSITIVE_INFINITY
}

/** To be called by whoever reads what will read otherwise from `at` on, such as posts whose day is still to come. */
export function forgetKeptAnswersAt(ctx: Context, at: Date): void {
  const revision = revisionOf(ctx)
  revision.endsAt = Math.min(revision.endsAt, at.getTime())
}

/**
 * Takes the headers set so far into the answer, and no cookies: what is left in `set` Elysia adds by making the answer
 * anew, body and all, which takes longer than everything else here.
 */
export function keptAnswer(ctx: Context, { request, set }: Asked, key: string, build: () => unknown): Response {
  const { bytes, etag } = find(ctx, key, build)
  const headers = { ...set.headers, etag, 'cache-control': 'private, no-cache', 'content-type': 'application/json' }
  set.headers = {}
  if (request.headers.get('if-none-match') === etag) return new Response(null, { status: 304, headers })
  return new Response(bytes, { headers })
}

function find(ctx: Context, key: string, build: () => unknown): Kept {
  const all = keptOf.get(ctx) ?? new Map<string, Kept>()
  keptOf.set(ctx, all)
  const version = databaseVersion(ctx)
  const known = all.get(key)
  if (known?.version === version) return known
  const bytes = new TextEncoder().encode(toJson(build()))
  const kept = { version, bytes, etag: `"${Bun.hash(bytes).toString(36)}"` }
  all.set(key, kept)
  return kept
}

/**
 * A list one by one: a character beyond Latin-1 makes `JSON.stringify` take twice as long for all that it is given, and
 * an item that is the very object of before is not written out again.
 */
const toJson = (value: unknown): string =>
  Array.isArray(value) ? `[${value.map(itemJson).join(',')}]` : JSON.stringify(value)

const written = new WeakMap<object, string>()

function itemJson(item: unknown): string {
  if (typeof item !== 'object' || item === null) return JSON.stringify(item)
  const text = written.get(item) ?? JSON.stringify(item)
  written.set(item, text)
  return text
}
