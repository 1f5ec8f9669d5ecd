import { existsSync, readdirSync } from 'node:fs'
import { extname, join } from 'node:path'
import { closedPolicy } from '#api/serving/closed-policy.ts'
import {
  bareResponse,
  type HandlerInput,
  hasMatchingEtag,
  negotiateEncoding,
} from '#api/serving/compressed-response.ts'

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
  /** Whether it runs as a worker, under its own CSP. */
  isWorker: boolean
  type: string
  etag: string
  cacheControl: string
  compressed: Partial<Record<string, string>>
}

export type FileHandler = (input: HandlerInput, path: string) => Response | undefined

/**
 * Serves the built files. They're listed once, so only files from the build can be requested. That happens at the first request
 * for a possible file, as most programs' first request isn't.
 *
 * We considered Bun's static routes and `@elysiajs/static`: neither sends the build's `.br` and `.gz` files, and a static route
 * skips hooks, so its response would lack the request id.
 */
export function createFileHandler(folder: string, build: string, kept: string): FileHandler {
  let files: Map<string, StaticFile> | undefined
  return (input, path) => {
    files ??= new Map(listFiles(folder, build).map((file) => [file.address, file.entry]))
    const file = files.get(path)
    if (file) return fileResponse(input, file)
    const before = keptFile(kept, path)
    if (before) return fileResponse(input, before)
    // A missing chunk must be a 404, not a page.
    return path.startsWith('/assets/') ? new Response('Not found', { status: 404, headers: missingHeaders }) : undefined
  }
}

const missingHeaders = {
  'content-type': 'text/plain; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy': closedPolicy,
}

/** A hashed file of a release before this one, for pages opened then. */
function keptFile(folder: string, path: string): StaticFile | undefined {
  const [, name = ''] = /^\/assets\/([\w-][\w.-]*)$/.exec(path) ?? []
  const type = types[extname(name)]
  if (name === '' || !type || !existsSync(join(folder, name))) return undefined
  const names = new Set([`${name}.br`, `${name}.gz`].filter((one) => existsSync(join(folder, one))))
  const compressed = compressedFiles(folder, name, names)
  // The name is the hash of the content, so it's tag enough.
  const known = { isWorker: false, etag: `W/"${name}"`, cacheControl: cacheControlOf('assets') }
  return { path: join(folder, name), type, compressed, ...known }
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

/** By the list alone: the build has hundreds of files, and a stat of each takes a tenth of a start. */
const compressedFiles = (folder: string, name: string, names: ReadonlySet<string>): StaticFile['compressed'] =>
  Object.fromEntries(
    [
      ['brotli', `${name}.br`],
      ['gzip', `${name}.gz`],
    ].flatMap(([encoding = '', file = '']) => (names.has(file) ? [[encoding, join(folder, file)]] : [])),
  )

/** Hashed names never change, pictures may be a day old, and browsers revalidate everything else. */
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
