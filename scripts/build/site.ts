import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { readSettings } from '#api/settings.ts'
import { readContent } from '#api/site/content.ts'
import type { EntryServer, PageRenderer } from '#shared/contract/page.ts'
import { compressFiles } from './compress.ts'
import { adminFiles, createTemplate, inlineStyles, readManifest } from './document.ts'
import { checkNewerFiles } from './newer-files.ts'
import { checkSizes } from './sizes.ts'

export const dist = fileURLToPath(new URL('../../pwa/dist', import.meta.url))
const configFile = fileURLToPath(new URL('./vite.config.ts', import.meta.url))

/** Builds the new site beside the live one, then swaps them. */
const next = join(dist, 'next')
const client = join(dist, 'client')
const server = join(dist, 'server')

/** Builds the server's renderer, the browser's scripts and the service worker, and keeps the previous build's chunks. */
export async function buildSite(hash: string): Promise<void> {
  process.env.NODE_ENV = 'production'
  rmSync(next, { recursive: true, force: true })
  await buildServer()
  const routes = await readRoutes()
  const pathsOf = (isPublic: boolean) => routes.filter((route) => route.isPublic === isPublic).map(({ path }) => path)
  await buildClient(hash, pathsOf(false))
  writeFileSync(join(next, 'server/lacked.json'), JSON.stringify(checkNewerFiles(join(next, 'client'))))
  const manifest = readManifest(join(next, 'client'))
  const template = await createTemplate(join(next, 'client'), { manifest, build: hash, appPaths: pathsOf(false) })
  writeFileSync(join(next, 'server/template.json'), JSON.stringify(template))
  for (const leftover of ['.vite', 'index.html', ...inlineStyles(manifest)])
    rmSync(join(next, 'client', leftover), { recursive: true })
  writeAppFileList(join(next, 'client'), hash)
  compressFiles(join(next, 'client'))
  const owners = adminFiles(manifest, template)
  checkSizes(join(next, 'client'), { template, publicPaths: pathsOf(true), adminFiles: owners })
  copyPreviousChunks()
  replaceSite()
}

/** For sandboxes, and for owners at a desk, so members' phones don't cache them. */
const onDemand = /^(sandbox-stripe|post-editor)-/

/** Lists the files the service worker also caches once the app has been opened on the device. */
function writeAppFileList(folder: string, hash: string): void {
  const worker = readFileSync(join(folder, 'sw.js'), 'utf8')
  const files = readdirSync(join(folder, 'assets')).filter((name) => /\.(js|css)$/.test(name) && !onDemand.test(name))
  const rest = files.filter((name) => !worker.includes(`assets/${name}`)).map((name) => `/assets/${name}`)
  writeFileSync(join(folder, 'assets', `app-files-${hash}.json`), JSON.stringify(rest))
}

const viteOptions = { logLevel: 'warn', configFile } as const

const buildServer = () =>
  build({
    ...viteOptions,
    build: { ssr: 'entry-server.tsx', outDir: join(next, 'server'), minify: true },
    define: { 'process.env.NODE_ENV': '"production"' },
  })

async function readRoutes(): Promise<PageRenderer['routes']> {
  const { createPageRenderer }: EntryServer = await import(join(next, 'server/entry-server.js'))
  const { site, pages } = readContent(readSettings({}))
  return createPageRenderer({ content: site, texts: pages, tiers: [], posts: [], postBySlug: () => null, health: null })
    .routes
}

/** Builds the service worker with the browser's scripts. It must know which paths the browser renders. */
const buildClient = (hash: string, appPaths: readonly string[]) =>
  build({
    ...viteOptions,
    build: { outDir: join(next, 'client') },
    define: { __BUILD__: JSON.stringify(hash), __APP_PATHS__: JSON.stringify(appPaths) },
  })

/** A page opened before this build still loads its own chunks, so we keep the previous ones. */
function copyPreviousChunks(): void {
  const list = join(dist, 'chunks.json')
  const fresh = readdirSync(join(next, 'client/assets'))
  const previous: unknown = existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : []
  for (const name of Array.isArray(previous) ? previous.map(String) : []) {
    const file = join(client, 'assets', name)
    if (!fresh.includes(name) && existsSync(file)) cpSync(file, join(next, 'client/assets', name))
  }
  writeFileSync(list, JSON.stringify(fresh))
}

function replaceSite(): void {
  mkdirSync(dist, { recursive: true })
  for (const [built, target] of [
    [join(next, 'client'), client],
    [join(next, 'server'), server],
  ] as const) {
    rmSync(target, { recursive: true, force: true })
    renameSync(built, target)
  }
  rmSync(next, { recursive: true, force: true })
}
