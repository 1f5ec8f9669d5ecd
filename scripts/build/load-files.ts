import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

const loader = fileURLToPath(new URL('../../pwa/lib/load-file.ts', import.meta.url))

/** Vite calls a helper for each `import()`, with the files it needs. Ours takes its place: Vite's can't wait or ask. */
const ownHelper: Plugin = {
  name: 'load-files',
  apply: 'build',
  transform: {
    filter: { id: /vite\/preload-helper\.js$/ },
    handler: () => `export { loadFile as __vitePreload } from ${JSON.stringify(loader)}`,
  },
}

const routersReload = 'isModuleNotFoundError(error) &&'

/** The router reloads the page for a module that didn't come, without asking why. */
const noOtherReload: Plugin = {
  name: 'no-other-reload',
  apply: 'build',
  transform: {
    filter: { id: /react-router\/dist\/esm\/lazyRouteComponent\.js$/ },
    handler(code) {
      if (!code.includes(routersReload)) throw new Error('The router’s own reload isn’t where it was')
      return code.replace(routersReload, 'false &&')
    },
  },
}

export const loadFiles = [ownHelper, noOtherReload]
