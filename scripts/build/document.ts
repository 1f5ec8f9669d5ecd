import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { PageTemplate } from '#shared/contract/page.ts'
import { isSiteStyle, siteChunk } from './chunks.ts'
import { isPlace, placeRoute, routeChunksFile } from './route-pages.ts'

type Chunk = { file: string; name?: string; src?: string; imports?: string[]; css?: string[]; assets?: string[] }
type Manifest = Record<string, Chunk>

const inlineFolder = fileURLToPath(new URL('../../pwa/inline', import.meta.url))

export const readManifest = (client: string): Manifest =>
  JSON.parse(readFileSync(join(client, '.vite/manifest.json'), 'utf8'))

const readRouteChunks = (client: string): Record<string, string> =>
  JSON.parse(readFileSync(join(client, routeChunksFile), 'utf8'))

function entryOf(manifest: Manifest): Chunk {
  const entry = Object.values(manifest).find(({ name }) => name === siteChunk)
  if (!entry) throw new Error('The build has no entry')
  return entry
}

export const inlineStyles = (manifest: Manifest) =>
  Object.values(manifest)
    .map(({ file }) => file)
    .filter(isSiteStyle)

/**
 * Turns the built index.html into the template: styles inline, and a small script that starts the entry after the first paint.
 */
export async function createTemplate(
  client: string,
  { manifest, build, appPaths }: { manifest: Manifest; build: string; appPaths: readonly string[] },
): Promise<PageTemplate> {
  const entry = entryOf(manifest)
  // Declare the order first: whatever order the bundler chooses, a page's style takes precedence over a part's.
  const style = `@layer base,parts,page;${inlineStyles(manifest)
    .map((file) => readFileSync(join(client, file), 'utf8'))
    .join('')}`
  const theme = await inlineScript('theme.ts')
  const start = await inlineScript('start.ts')
  const stopped = await inlineScript('stopped.ts', 'esm')
  const ahead = await inlineScript('ahead.ts')
  const document = readFileSync(join(client, 'index.html'), 'utf8')
    .replace(/\s*<script type="module"[^>]*><\/script>/g, '')
    .replace(/\s*<link rel="(modulepreload|stylesheet)"[^>]*>/g, '')
    .replace('<!--head-->', () => `<!--head-->\n${fontLink(manifest)}`)
    .replace('</head>', () => `<script>${theme}</script>\n<style>${style}</style>\n</head>`)
    .replace('</body>', () => `<script>${start}</script>\n</body>`)
  const entryFiles = importsOf(manifest, entry).map(addressOf)
  const files = routeFiles(manifest, readRouteChunks(client), new Set([...entryFiles, `/${entry.file}`]))
  return {
    document,
    ahead,
    stopped,
    hashes: { script: [theme, ahead, start, stopped].map(sourceHash), style: [sourceHash(style)] },
    entry: `/${entry.file}`,
    entryChunks: entryFiles,
    ...files,
    shellRoutes: shellRoutes(files, appPaths),
    build,
  }
}

const sourceHash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

async function inlineScript(name: string, format: 'iife' | 'esm' = 'iife'): Promise<string> {
  const { outputs } = await Bun.build({
    entrypoints: [join(inlineFolder, name)],
    // It would use syntax that's newer than the source's, and a function around it begins with an arrow.
    minify: { whitespace: true, identifiers: true, syntax: false },
    format,
    target: 'browser',
  })
  return (await outputs[0]?.text())?.trim() ?? ''
}

function fontLink(manifest: Manifest): string {
  // Not the other, which few pages need.
  const font = Object.entries(manifest).find(([source]) => source.endsWith('archivo-latin-var.woff2'))?.[1]
  return font ? `<link rel="preload" as="font" type="font/woff2" href="/${font.file}" crossorigin>` : ''
}

function importsOf(manifest: Manifest, chunk: Chunk, seen = new Set<Chunk>()): Chunk[] {
  for (const key of chunk.imports ?? []) {
    const imported = manifest[key]
    if (!imported || seen.has(imported)) continue
    seen.add(imported)
    importsOf(manifest, imported, seen)
  }
  return [...seen]
}

/** The parts of the owners' first screen that its route loads once it knows the person is an owner, by their chunks' names. */
const adminParts = ['admin-frame', 'today']

export function adminFiles(manifest: Manifest, { entry, entryChunks, routeChunks }: PageTemplate): string[] {
  const parts = Object.values(manifest).filter(({ name }) => adminParts.includes(name ?? ''))
  if (parts.length < adminParts.length) console.warn(`Not all counted for owners: ${adminParts} (document.ts).`)
  const later = parts.flatMap((chunk) => [chunk, ...importsOf(manifest, chunk)].map(addressOf))
  return [...new Set([entry, ...entryChunks, ...(routeChunks['/admin/'] ?? []), ...later])]
}

/** The files of the routes that only the browser renders, by path; its last part is `*` where it may be any. */
const shellRoutes = ({ routeChunks, routeStyles }: RouteFiles, appPaths: readonly string[]): Record<string, string[]> =>
  Object.fromEntries(
    Object.entries(routeChunks)
      .map(
        ([id, chunks]) =>
          [id.replace(/(.)\/$/, '$1'), [...chunks, ...(routeStyles[id] ?? [])]] satisfies [string, string[]],
      )
      .filter(([path]) => isPlace(path) || appPaths.includes(path))
      .map(([path, files]) => [path.replace(/\$\w+$/, '*'), files]),
  )

const addressOf = ({ file }: Chunk) => `/${file}`
const stylesOf = (chunks: readonly Chunk[]) =>
  [...new Set(chunks.flatMap(({ css = [] }) => css))].map((css) => `/${css}`)

type RouteFiles = Pick<PageTemplate, 'routeChunks' | 'routeStyles'>

function routeFiles(manifest: Manifest, routeChunks: Record<string, string>, known: ReadonlySet<string>): RouteFiles {
  const found: RouteFiles = { routeChunks: {}, routeStyles: {} }
  const isNew = (file: string) => !known.has(file)
  for (const [id, file] of Object.entries(routeChunks)) {
    const own = isPlace(id) ? [routeChunks[placeRoute], file] : [file]
    const pages = Object.values(manifest).filter((one) => own.includes(one.file))
    const chunks = [...new Set(pages.flatMap((page) => [page, ...importsOf(manifest, page)]))]
    found.routeChunks[id] = chunks.map(addressOf).filter(isNew)
    found.routeStyles[id] = stylesOf(chunks).filter(isNew)
  }
  return found
}
