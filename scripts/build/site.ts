import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { readContent } from '#api/features/content/service.ts'
import { readSettings } from '#api/settings.ts'
import type { EntryServer } from '#shared/contract/page.ts'
import { compressFiles } from './compress.ts'
import { inlineStyles, makeTemplate, readManifest } from './document.ts'
import { checkSizes } from './sizes.ts'

export const dist = fileURLToPath(new URL('../../pwa/dist', import.meta.url))
const configFile = fileURLToPath(new URL('../../pwa/vite.config.ts', import.meta.url))

/** The new site is made beside the running one and then takes its place. */
const next = join(dist, 'next')
const client = join(dist, 'client')
const server = join(dist, 'server')

/** Builds what the server renders with, what the browser runs and the service worker; keeps the chunks of the build before. */
export const buildSite = async (hash: string) => {
  process.env.NODE_ENV = 'production'
  rmSync(next, { recursive: true, force: true })
  await buildServer()
  const routes = await readRoutes()
  const pathsOf = (isPublic: boolean) => routes.filter((route) => route.isPublic === isPublic).map(({ path }) => path)
  await buildClient(hash, pathsOf(false))
  const manifest = readManifest(join(next, 'client'))
  const template = await makeTemplate(join(next, 'client'), manifest, hash)
  writeFileSync(join(next, 'server/template.json'), JSON.stringify(template))
  for (const left of ['.vite', 'index.html', ...inlineStyles(manifest)])
    rmSync(join(next, 'client', left), { recursive: true })
  writeAppFiles(join(next, 'client'), hash)
  compressFiles(join(next, 'client'))
  checkSizes(join(next, 'client'), template, pathsOf(true))
  keepOldChunks()
  takeOver()
}

/** What the service worker keeps besides its own list, once somebody opens a screen that the browser renders. */
const writeAppFiles = (folder: string, hash: string) => {
  const worker = readFileSync(join(folder, 'sw.js'), 'utf8')
  const files = readdirSync(join(folder, 'assets')).filter(
    (name) => /\.(js|css)$/.test(name) && !/^sandbox-stripe-/.test(name),
  )
  const rest = files.filter((name) => !worker.includes(`assets/${name}`)).map((name) => `/assets/${name}`)
  writeFileSync(join(folder, 'assets', `app-files-${hash}.json`), JSON.stringify(rest))
}

const quiet = { logLevel: 'warn', configFile } as const

const buildServer = () =>
  build({
    ...quiet,
    build: { ssr: 'entry-server.tsx', outDir: join(next, 'server'), minify: true },
    define: { 'process.env.NODE_ENV': '"production"' },
  })

/** Every route of the site, from the server's part as it was just built. */
const readRoutes = async () => {
  const { createPageRenderer }: EntryServer = await import(join(next, 'server/entry-server.js'))
  const { site, pages } = readContent({ url: '', ...readSettings({}) })
  return createPageRenderer({ content: site, texts: pages, tiers: [], posts: [], postBySlug: () => null }).routes
}

/** The service worker is built with the browser's part; it must know which paths the browser renders itself. */
const buildClient = (hash: string, appPaths: readonly string[]) =>
  build({
    ...quiet,
    build: { outDir: join(next, 'client') },
    define: { __BUILD__: JSON.stringify(hash), __APP_PATHS__: JSON.stringify(appPaths) },
  })

/** A page opened before the change still asks for its own chunks: those of one build back stay. */
const keepOldChunks = () => {
  const list = join(dist, 'chunks.json')
  const fresh = readdirSync(join(next, 'client/assets'))
  const before: unknown = existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : []
  for (const name of Array.isArray(before) ? before.map(String) : []) {
    const old = join(client, 'assets', name)
    if (!fresh.includes(name) && existsSync(old)) cpSync(old, join(next, 'client/assets', name))
  }
  writeFileSync(list, JSON.stringify(fresh))
}

const takeOver = () => {
  mkdirSync(dist, { recursive: true })
  for (const [made, place] of [
    [join(next, 'client'), client],
    [join(next, 'server'), server],
  ] as const) {
    rmSync(place, { recursive: true, force: true })
    renameSync(made, place)
  }
  rmSync(next, { recursive: true, force: true })
}
