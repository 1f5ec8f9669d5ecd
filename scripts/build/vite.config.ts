import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { tanstackRouter } from '@tanstack/router-plugin/vite'
import react from '@vitejs/plugin-react'
import { Features } from 'lightningcss'
import { defineConfig, type Plugin } from 'vite'
import { VitePWA } from 'vite-plugin-pwa'
import { buildTargets } from './browsers.ts'
import { createSharedChunks, isStartFile } from './chunks.ts'
import { ownerShare } from './owner-share.ts'
import { writeRouteChunks } from './route-pages.ts'
import { createVisitorFiles } from './visitor-files.ts'

const here = (path: string) => fileURLToPath(new URL(`../../pwa/${path}`, import.meta.url))

const routes = tanstackRouter({
  target: 'react',
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
    // The sandbox's card form is only for trying out, so no phone should carry it.
    globIgnores: ['assets/sandbox-stripe-*'],
    // The build leaves out files with the brand: icons and manifest change without a build.
    globPatterns: ['assets/*.{js,css,svg,woff2}'],
    maximumFileSizeToCacheInBytes: 3_000_000,
    manifestTransforms: [
      (entries) => ({ manifest: entries.filter(({ url }) => !url.startsWith('assets/') || visitorFiles.has(url)) }),
    ],
  },
})

/** In development no server fills in the document, so this serves an empty root, and the content as the server reads it. */
const documentForDevelopment: Plugin = {
  name: 'document-for-development',
  apply: 'serve',
  async transformIndexHtml(html) {
    const { readContent } = await import('#api/site/content.ts')
    const { readSettings } = await import('#api/settings.ts')
    const { site: content } = readContent(readSettings(process.env))
    const state = JSON.stringify({ content, responses: [] }).replaceAll('<', '\\u003c')
    const theme = '<script type="module" src="/inline/theme.ts"></script>'
    return html
      .replace('<!--head-->', () => `<meta name="description" content="">${theme}`)
      .replace('<!--body-->', () => `<div id="root"></div><script type="application/json" id="state">${state}</script>`)
  },
}

/** The previous version reads it to say what the waiting one brings. */
const whatsNew: Plugin = {
  name: 'whats-new',
  apply: 'build',
  generateBundle() {
    const source = readFileSync(here('features/chrome/whats-new.json'), 'utf8')
    this.emitFile({ type: 'asset', fileName: 'whats-new.json', source })
  },
}

const sharedChunks = createSharedChunks()

export default defineConfig(({ isSsrBuild }) => ({
  root: here('.'),
  plugins: [
    routes,
    react(),
    documentForDevelopment,
    isSsrBuild ? [] : [sharedChunks.plugin, ownerShare, visitorFiles.plugin, writeRouteChunks, whatsNew, serviceWorker],
  ],
  css: { lightningcss: { exclude: Features.LightDark } },
  build: {
    outDir: here(isSsrBuild ? 'dist/server' : 'dist/client'),
    emptyOutDir: true,
    manifest: !isSsrBuild,
    modulePreload: {
      polyfill: false,
      resolveDependencies: (_file, files) => files.filter((file) => !isStartFile(file)),
    },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    target: buildTargets,
    copyPublicDir: !isSsrBuild,
    rolldownOptions: isSsrBuild
      ? {}
      : { treeshake: { propertyReadSideEffects: false }, output: { codeSplitting: { groups: sharedChunks.groups } } },
  },
  ssr: { noExternal: true },
}))
