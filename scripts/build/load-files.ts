import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

const loader = fileURLToPath(new URL('../../pwa/lib/load-file.ts', import.meta.url))

/** Vite calls a helper for each `import()`, with the files it needs. Ours takes its place: Vite's can't wait or ask. */
export const loadFiles: Plugin = {
  name: 'load-files',
  apply: 'build',
  transform: {
    filter: { id: /vite\/preload-helper\.js$/ },
    handler: () => `export { loadFile as __vitePreload } from ${JSON.stringify(loader)}`,
  },
}
