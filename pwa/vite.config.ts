import { fileURLToPath } from 'node:url'
import { tanstackRouter } from '@tanstack/router-plugin/vite'
import react from '@vitejs/plugin-react'
import { Features } from 'lightningcss'
import { defineConfig, type Plugin } from 'vite'
import { VitePWA } from 'vite-plugin-pwa'
import { createVisitorFiles } from '../scripts/build/visitor-files.ts'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

const routes = tanstackRouter({
  target: 'react',
  autoCodeSplitting: true,
  routesDirectory: here('routes'),
  generatedRouteTree: here('routeTree.gen.ts'),
  routeFileIgnorePattern: '\\.test\\.',
  quoteStyle: 'single',
  semicolons: false,
})

const visitorFiles = createVisitorFiles()

const serviceWorker = VitePWA({
  strategies: 'injectManifest',
  srcDir: '.',
  filename: 'sw.ts',
  registerType: 'prompt',
  injectRegister: false,
  manifest: false,
  injectManifest: {
    // The sandbox's card form is for trying out: no phone should carry it.
    globIgnores: ['assets/sandbox-stripe-*'],
    globPatterns: ['assets/*.{js,css,svg,woff2}', 'icons/icon.svg', 'icons/icon-192.png', 'manifest.webmanifest'],
    maximumFileSizeToCacheInBytes: 3_000_000,
    manifestTransforms: [
      (entries) => ({ manifest: entries.filter(({ url }) => !url.startsWith('assets/') || visitorFiles.has(url)) }),
    ],
  },
})

/** While developing there is no server that fills the document in: an empty root, and the content as the server reads it. */
const documentForDevelopment: Plugin = {
  name: 'document-for-development',
  apply: 'serve',
  async transformIndexHtml(html) {
    const { readContent } = await import('#api/features/content/service.ts')
    const { readSettings } = await import('#api/settings.ts')
    const { publicUrl: url, ...settings } = readSettings(process.env)
    const { site: content } = readContent({ url, ...settings })
    const state = JSON.stringify({ content, responses: [] }).replaceAll('<', '\\u003c')
    const theme = '<script type="module" src="/inline/theme.ts"></script>'
    return html
      .replace('<!--head-->', () => `<meta name="description" content="">${theme}`)
      .replace('<!--body-->', () => `<div id="root"></div><script type="application/json" id="state">${state}</script>`)
  },
}

/** Ids of the modules that every page needs: what the entry imports, directly or not. */
const startModules = new Set<string>()

const findStartModules: Plugin = {
  name: 'find-start-modules',
  apply: 'build',
  buildEnd() {
    const add = (id: string) => {
      if (startModules.has(id)) return
      startModules.add(id)
      for (const imported of this.getModuleInfo(id)?.importedIds ?? []) add(imported)
    }
    for (const id of this.getModuleIds()) if (this.getModuleInfo(id)?.isEntry) add(id)
    // The entry itself stays where the build looks for it.
    for (const entry of ['index.html', 'entry-client.tsx']) startModules.delete(here(entry))
  },
}

/** Named by the libraries' indexes, but used by app routes alone. */
const isForAppRoutes = (id: string) =>
  /(useMutation|mutationObserver|useBlocker|useQuery|useInfiniteQuery|infiniteQueryObserver|useBaseQuery|queryObserver|errorBoundaryUtils|QueryErrorResetBoundary|IsRestoringProvider)\.js$/.test(
    id,
  )

/** What the forms of public pages share beyond the fields, which the login has too. */
const isForPublicForms = (id: string) =>
  /\/(form-draft-store|form-fields|use-form-queue|stored-forms-flag|draft|form-labels)\.tsx?$/.test(id)

/** A few chunks instead of dozens: they compress better whole. The libraries' changes seldom. */
const sharedChunks = [
  { name: 'core', test: (id: string) => id.includes('node_modules') && startModules.has(id) && !isForAppRoutes(id) },
  { name: 'site', test: (id: string) => /\.tsx?$/.test(id) && !id.includes('node_modules') && startModules.has(id) },
  { name: 'forms', test: (id: string) => isForPublicForms(id) && !startModules.has(id) },
]

export default defineConfig(({ isSsrBuild }) => ({
  root: here('.'),
  plugins: [
    routes,
    react(),
    documentForDevelopment,
    isSsrBuild ? [] : [findStartModules, visitorFiles.plugin, serviceWorker],
  ],
  css: { lightningcss: { exclude: Features.LightDark } },
  build: {
    outDir: here(isSsrBuild ? 'dist/server' : 'dist/client'),
    emptyOutDir: true,
    manifest: !isSsrBuild,
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    target: ['chrome111', 'edge111', 'firefox114', 'safari16.4'],
    copyPublicDir: !isSsrBuild,
    rolldownOptions: isSsrBuild ? {} : { output: { codeSplitting: { groups: sharedChunks } } },
  },
  ssr: { noExternal: true },
}))
