import { existsSync, readdirSync, statSync } from 'node:fs'
import { extname, join } from 'node:path'
import { encodingFor, isKnown } from './ready-bytes.ts'

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
  type: string
  etag: string
  cacheControl: string
  encodings: Partial<Record<string, string>>
}

export type StaticFiles = (request: Request, path: string) => Response | undefined

/** The built files, listed once: only what the build wrote can be asked for. */
export function staticFiles(folder: string, build: string): StaticFiles {
  const files = new Map(listFiles(folder, build).map((file) => [file.address, file.entry]))
  return (request, path) => {
    const file = files.get(path)
    if (file) return answerFile(request, file)
    // A chunk that is gone must not be answered with a page.
    return path.startsWith('/assets/') ? new Response('Not found', { status: 404, headers: gone }) : undefined
  }
}

const gone = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' }

function listFiles(folder: string, build: string) {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return names.flatMap((name) => {
    const type = types[extname(name)]
    const path = join(folder, name)
    if (!type || !statSync(path).isFile()) return []
    return [{ address: `/${name.replaceAll('\\', '/')}`, entry: fileOf(path, name, { type, build }) }]
  })
}

function fileOf(path: string, name: string, { type, build }: { type: string; build: string }): StaticFile {
  const encodings = Object.fromEntries(
    [
      ['brotli', `${path}.br`],
      ['gzip', `${path}.gz`],
    ].filter(([, file]) => file && existsSync(file)),
  )
  return { path, type, etag: `W/"${build}"`, cacheControl: cacheControlOf(name), encodings }
}

/** Names with a hash never change; pictures may be a day old; all else is asked for each time. */
function cacheControlOf(name: string) {
  if (name.startsWith('assets')) return 'public, max-age=31536000, immutable'
  if (/^(pictures|screenshots|social)\b/.test(name)) return 'public, max-age=86400, stale-while-revalidate=604800'
  return 'no-cache'
}

function answerFile(request: Request, file: StaticFile): Response {
  const { encoding, name } = encodingFor(request)
  const compressed = file.encodings[encoding]
  const headers: Record<string, string> = {
    'content-type': file.type,
    'cache-control': file.cacheControl,
    etag: file.etag,
    vary: 'accept-encoding',
  }
  if (isKnown(request, file.etag)) return new Response(null, { status: 304, headers })
  if (compressed && name) headers['content-encoding'] = name
  const body = Bun.file(compressed ?? file.path)
  headers['content-length'] = String(body.size)
  return new Response(body, { headers })
}
