import { setImmediate } from 'node:timers/promises'
import * as v from 'valibot'
import { type Context, perContext } from '#api/context.ts'
import { dataVersion } from '#api/db/changes.ts'
import {
  bareResponse,
  encodeApart,
  encodeFor,
  type HandlerInput,
  hasMatchingEtag,
  type LazyBody,
} from '#api/serving/compressed-response.ts'

type CachedJson = { version: number; value: unknown; body: LazyBody; etag: string }

const responsesOf = perContext(() => new Map<string, CachedJson>())

/**
 * Responds with JSON that many people share, made once per version of the data, with an ETag. `build` must return a parsed
 * contract value, because a cached response skips the response schema.
 *
 * It's compressed once for all clients.
 *
 * Browsers don't store a personal one: the phone keeps its ETag beside its rows and sends it itself.
 *
 * Takes headers set so far, but not cookies. Elysia would apply anything left in `set` by creating a second response with the
 * same body, which takes longer than everything else here.
 */
export function cachedResponse(
  ctx: Context,
  input: HandlerInput,
  { key, isPersonal = false }: { key: string; isPersonal?: boolean },
  build: () => unknown,
): Response {
  return respondWith(findOrBuild(ctx, key, build), input, isPersonal)
}

/**
 * As `cachedResponse`, for a list that may be long. `build` gives it in parts of some milliseconds each, between which others get
 * their turn, and all who ask for one version wait for the same list. A change meanwhile shows in the next one.
 */
export async function cachedListResponse(
  ctx: Context,
  input: HandlerInput,
  { key }: { key: string },
  build: () => Iterable<readonly unknown[]>,
): Promise<Response> {
  const made = await findOrBuildList(ctx, key, build)
  if (!hasMatchingEtag(input.request, made.etag)) await encodeApart(input.request, made.body)
  return respondWith(made, input, false)
}

type Tagged = Pick<CachedJson, 'body' | 'etag'>

function respondWith({ body, etag }: Tagged, { request, set }: HandlerInput, isPersonal: boolean): Response {
  const cacheControl = isPersonal ? 'private, no-store' : 'private, no-cache'
  if (hasMatchingEtag(request, etag)) return bareResponse(set, 304, { etag, 'cache-control': cacheControl })
  const { bytes, contentEncoding } = encodeFor(request, body)
  const headers = {
    ...set.headers,
    'cache-control': cacheControl,
    'content-type': 'application/json',
    vary: 'accept-encoding',
    // The same tag for different bytes has to be weak.
    ...(contentEncoding ? { etag: `W/${etag}`, 'content-encoding': contentEncoding } : { etag }),
  }
  set.headers = {}
  return new Response(bytes, { headers })
}

export type TaggedJson = { text: string; etag: string }

export function toTaggedJson<Schema extends v.GenericSchema>(schema: Schema, value: v.InferInput<Schema>): TaggedJson {
  const text = JSON.stringify(v.parse(schema, value))
  return { text, etag: `"${Bun.hash(text).toString(36)}"` }
}

/** Responds with one person's data and an ETag. A phone that has it sends the tag, and gets a few bytes back. */
export function taggedResponse({ request, set }: HandlerInput, { text, etag }: TaggedJson): Response {
  const tag = { etag, 'cache-control': 'private, no-store' }
  if (hasMatchingEtag(request, etag)) return bareResponse(set, 304, tag)
  const headers = { ...set.headers, ...tag, 'content-type': 'application/json' }
  set.headers = {}
  return new Response(text, { headers })
}

function findOrBuild(ctx: Context, key: string, build: () => unknown): CachedJson {
  const cached = responsesOf(ctx)
  const version = cacheVersion(ctx)
  const known = cached.get(key)
  if (known?.version === version) return known
  const value = build()
  const made = known !== undefined && isSameList(known.value, value) ? { ...known, version } : toCached(version, value)
  cached.set(key, made)
  return made
}

const listsOf = perContext(() => new Map<string, { version: number; made: Promise<Tagged> }>())

function findOrBuildList(ctx: Context, key: string, build: () => Iterable<readonly unknown[]>): Promise<Tagged> {
  const lists = listsOf(ctx)
  const version = cacheVersion(ctx)
  const known = lists.get(key)
  if (known?.version === version) return known.made
  const list = { version, made: buildList(build, known?.made) }
  lists.set(key, list)
  list.made.catch(() => {
    if (lists.get(key) === list) lists.delete(key)
  })
  return list.made
}

async function buildList(build: () => Iterable<readonly unknown[]>, before: Promise<Tagged> | undefined) {
  const parts: Uint8Array[] = []
  const encoder = new TextEncoder()
  for (const items of build()) {
    const text = items.map((item) => JSON.stringify(item)).join(',')
    parts.push(encoder.encode(`${parts.length === 0 ? '[' : ','}${text}`))
    await setImmediate()
  }
  parts.push(encoder.encode(parts.length === 0 ? '[]' : ']'))
  const identity = new Uint8Array(Buffer.concat(parts))
  const etag = tagOf(identity)
  const last = await before?.catch(() => undefined)
  return last?.etag === etag ? last : { body: { identity, made: {} }, etag }
}

const tagOf = (identity: Uint8Array) => `"${Bun.hash(identity).toString(36)}"`

/** Most changes are to other data, and leave the list's items identical. */
const isSameList = (one: unknown, other: unknown): boolean =>
  Array.isArray(one) &&
  Array.isArray(other) &&
  one.length === other.length &&
  one.every((item, at) => typeof item === 'object' && item === other[at])

function toCached(version: number, value: unknown): CachedJson {
  const identity = new TextEncoder().encode(toJson(value))
  return { version, value, body: { identity, made: {} }, etag: tagOf(identity) }
}

/** Serialises item by item: a character beyond Latin-1 halves the speed of the whole call, and unchanged items are reused. */
const toJson = (value: unknown): string =>
  Array.isArray(value) ? `[${value.map(itemToJson).join(',')}]` : JSON.stringify(value)

const jsonOf = new WeakMap<object, string>()

function itemToJson(item: unknown): string {
  if (typeof item !== 'object' || item === null) return JSON.stringify(item)
  const text = jsonOf.get(item) ?? JSON.stringify(item)
  jsonOf.set(item, text)
  return text
}

type Clock = 'now' | 'billingNow'

/** What a CDN keeps that may change: pages and feeds, what's drawn from the brand, and public files. */
export const changingTags = ['pages', 'brand', 'media'] as const
type ChangingTag = (typeof changingTags)[number]

/** `nextAt` in ms since 1970, by each clock. `data` is the last data version seen. `changed`: what the CDN hasn't been told. */
type Invalidations = {
  count: number
  nextAt: Record<Clock, number>
  data: number | undefined
  changed: Set<ChangingTag>
}

const noneDue = { now: Number.POSITIVE_INFINITY, billingNow: Number.POSITIVE_INFINITY }

const stateOf = perContext((): Invalidations => ({ count: 0, nextAt: noneDue, data: undefined, changed: new Set() }))

/** Goes up with every commit of another process and every invalidation by this one, including scheduled ones that are due. */
export function cacheVersion(ctx: Context): number {
  const data = dataVersion(ctx)
  const state = stateOf(ctx)
  if (state.data !== data) invalidateResponses(ctx)
  else if (isDue(ctx, state, 'now') || isDue(ctx, state, 'billingNow')) invalidateResponses(ctx, ['pages'])
  state.data = data
  return state.count
}

const isDue = (ctx: Context, { nextAt }: Invalidations, clock: Clock) =>
  nextAt[clock] !== Number.POSITIVE_INFINITY && nextAt[clock] <= ctx[clock]().getTime()

const sparinglyMs = 5

/**
 * Reads a version at most every five milliseconds, or straight after an invalidation by this process. For public pages: asking SQLite
 * in every turn of the event loop took an eighth of sending one, and every millisecond a twentieth.
 */
export function readSparingly(ctx: Context, read: () => string): () => string {
  let seen = { at: Number.NEGATIVE_INFINITY, count: -1, version: '' }
  return () => {
    const at = performance.now()
    const { count } = stateOf(ctx)
    if (at - seen.at < sparinglyMs && count === seen.count) return seen.version
    const version = read()
    seen = { at, count: stateOf(ctx).count, version }
    return version
  }
}

/** Call it after changing tiers, videos, posts or content, with `['pages']` if neither the brand nor a file has changed. */
export function invalidateResponses(ctx: Context, tags: readonly ChangingTag[] = changingTags): void {
  const state = stateOf(ctx)
  state.count += 1
  state.nextAt = noneDue
  for (const tag of tags) state.changed.add(tag)
}

/** What has changed since this was last asked. */
export function takeChanged(ctx: Context): ReadonlySet<string> {
  cacheVersion(ctx)
  const state = stateOf(ctx)
  const { changed } = state
  state.changed = new Set()
  return changed
}

/** Call it if the data will read differently from `at`, such as a post scheduled for then. */
export function invalidateResponsesAt(ctx: Context, at: Date, clock: Clock = 'now'): void {
  const state = stateOf(ctx)
  state.nextAt = { ...state.nextAt, [clock]: Math.min(state.nextAt[clock], at.getTime()) }
}
