import type { Context } from '#api/context.ts'
import { notFound } from '#api/errors.ts'
import { closedPolicy } from '#api/serving/closed-policy.ts'
import {
  type CompressedBody,
  compressBody,
  compressedResponse,
  hasMatchingEtag,
} from '#api/serving/compressed-response.ts'
import { contentOf } from '#api/site/content.ts'
import { type BrandFile, brandFile } from './service.ts'

type Prepared = { type: string; text: CompressedBody } | { type: string; etag: string; bytes: Uint8Array<ArrayBuffer> }

type Edition = { brand: string; files: Map<string, Promise<Prepared | null>> }

const editions = new WeakMap<Context, Edition>()

function editionOf(ctx: Context): Edition {
  const { site } = contentOf(ctx).read()
  const known = editions.get(ctx)
  const brand = `${site.look} ${site.brand.tagline}`
  if (known?.brand === brand) return known
  const edition: Edition = { brand, files: new Map() }
  editions.set(ctx, edition)
  return edition
}

type Input = { request: Request; path: string; query: { look?: string | undefined }; set: { headers: object } }

export async function respondWithBrandFile(ctx: Context, { request, path, query, set }: Input): Promise<Response> {
  const { files } = editionOf(ctx)
  const known = files.get(path) ?? brandFile(ctx, path).then(prepareFile)
  files.set(path, known)
  known.then(
    (file) => file ?? files.delete(path),
    () => files.delete(path),
  )
  const file = await known
  if (file === null) throw notFound('This file')
  const headers = {
    'content-type': file.type,
    'cache-control': cacheControlOf(ctx, path, query.look ?? ''),
    // The iframe of an email has an opaque origin and a podcast directory another one. Both show these pictures.
    'cross-origin-resource-policy': 'cross-origin',
    'content-security-policy': closedPolicy,
  }
  if ('text' in file) return compressedResponse({ request, set }, file.text, { headers })
  const all = { ...headers, etag: file.etag }
  if (hasMatchingEtag(request, file.etag)) return new Response(null, { status: 304, headers: all })
  return new Response(file.bytes, { headers: all })
}

function prepareFile(file: BrandFile | null): Prepared | null {
  if (file === null) return null
  const { type, bytes } = file
  if (typeof bytes === 'string') return { type, text: compressBody(bytes) }
  return { type, bytes, etag: `"${new Bun.CryptoHasher('sha256').update(bytes).digest('base64url').slice(0, 22)}"` }
}

/**
 * A URL that names the look never changes. While the site has the look it came with, no page names one: its icons and pictures may
 * be a day old, as another look has other URLs.
 */
function cacheControlOf(ctx: Context, path: string, look: string): string {
  if (look !== contentOf(ctx).read().site.look) return 'no-cache'
  if (look !== '') return 'public, max-age=31536000, immutable'
  return /^\/(pictures|social|icons)\//.test(path) ? 'public, max-age=86400, stale-while-revalidate=604800' : 'no-cache'
}
