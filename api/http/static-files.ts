import { readdirSync } from 'node:fs'
import { extname, join } from 'node:path'
import { closedPolicy } from './closed-policy.ts'
import { bareResponse, type HandlerInput, hasMatchingEtag, negotiateEncoding } from './compressed-response.ts'

const types: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.woff2': 'font/woff2',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
  '.txt': 'text/plain; charset=utf-8',
}

type StaticFile = {
  path: string
  /** Whether it runs by itself, under the policy that it comes with. */
  isWorker: boolean
  type: string
  etag: string
  cacheControl: string
  compressed: Partial<Record<string, string>>
}

export type FileHandler = (input: HandlerInput, path: string) => Response | undefined

/**
 * Responds with the built files. They are listed once, so that only what the build wrote can be requested: at the first request
 * that could be for one, since most programs' first is for something else.
 *
 * Bun's static routes and `@elysiajs/static` were weighed: neither sends the `.br` and `.gz` files of the build, and a static
 * route passes no hook, so that its response would lack the request's id.
 */
export function createFileHandler(folder: string, build: string): FileHandler {
  let files: Map<string, StaticFile> | undefined
  return (input, path) => {
    files ??= new Map(listFiles(folder, build).map((file) => [file.address, file.entry]))
    const file = files.get(path)
    if (file) return fileResponse(input, file)
    // A chunk that is gone must not be answered with a page.
    return path.startsWith('/assets/') ? new Response('Not found', { status: 404, headers: missingHeaders }) : undefined
  }
}

const missingHeaders = {
  ...{ 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
  'content-security-policy': closedPolicy,
}

function listFiles(folder: string, build: string) {
  const names = new Set(readdirSync(folder, { recursive: true, encoding: 'utf8' }))
  return [...names].flatMap((name) => {
    const type = types[extname(name)]
    if (!type) return []
    const compressed = compressedFiles(folder, name, names)
    const entry = {
      path: join(folder, name),
      isWorker: name === 'sw.js',
      type,
      etag: `W/"${build}"`,
      cacheControl: cacheControlOf(name),
      compressed,
    }
    return [{ address: `/${name.replaceAll('\\', '/')}`, entry }]
  })
}

/** By the list alone: the build writes hundreds of files, and looking at each is a tenth of a start. */
const compressedFiles = (folder: string, name: string, names: ReadonlySet<string>): StaticFile['compressed'] =>
  Object.fromEntries(
    [
      ['brotli', `${name}.br`],
      ['gzip', `${name}.gz`],
    ].flatMap(([encoding = '', file = '']) => (names.has(file) ? [[encoding, join(folder, file)]] : [])),
  )

/** Names with a hash never change; pictures may be a day old; browsers ask for all else each time. */
function cacheControlOf(name: string) {
  if (name.startsWith('assets')) return 'public, max-age=31536000, immutable'
  if (/^(pictures|screenshots|social)\b/.test(name)) return 'public, max-age=86400, stale-while-revalidate=604800'
  return 'no-cache'
}

function fileResponse({ request, set }: HandlerInput, file: StaticFile): Response {
  const known = { etag: file.etag, 'cache-control': file.cacheControl, vary: 'accept-encoding' }
  if (hasMatchingEtag(request, file.etag)) return bareResponse(set, 304, known)
  const { encoding, contentEncoding } = negotiateEncoding(request)
  const compressed = file.compressed[encoding]
  const headers: Record<string, string> = { 'content-type': file.type, ...known }
  if (!file.isWorker) headers['content-security-policy'] = closedPolicy
  if (compressed && contentEncoding) headers['content-encoding'] = contentEncoding
  const body = Bun.file(compressed ?? file.path)
  headers['content-length'] = String(body.size)
  return new Response(body, { headers })
}
