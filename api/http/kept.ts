import { createHash } from 'node:crypto'
import type { Context } from '../context.ts'

type Kept = { version: string; text: string; etag: string }

/**
 * Answers that are the same for many: made once per version, then handed out as they are, with an ETag. `build` must
 * return the parsed contract value, since a ready answer passes no response schema.
 */
const keptOf = new WeakMap<Context, Map<string, Kept>>()

/** Changes with every commit to the database, ours or another process's. */
export function databaseVersion(ctx: Context): string {
  const outside = ctx.sqlite.pragma('data_version', { simple: true })
  return `${outside}.${revisionOf.get(ctx) ?? 0}`
}

const revisionOf = new WeakMap<Context, number>()

/** To be called after this process has changed tiers, videos or posts. */
export function forgetKeptAnswers(ctx: Context): void {
  revisionOf.set(ctx, (revisionOf.get(ctx) ?? 0) + 1)
}

export function keptAnswer(ctx: Context, request: Request, key: string, build: () => unknown): Response {
  const all = keptOf.get(ctx) ?? new Map<string, Kept>()
  keptOf.set(ctx, all)
  const version = databaseVersion(ctx)
  let kept = all.get(key)
  if (kept?.version !== version) {
    const text = JSON.stringify(build())
    kept = { version, text, etag: `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"` }
    all.set(key, kept)
  }
  const headers = { etag: kept.etag, 'cache-control': 'private, no-cache', 'content-type': 'application/json' }
  if (request.headers.get('if-none-match') === kept.etag) return new Response(null, { status: 304, headers })
  return new Response(kept.text, { headers })
}
