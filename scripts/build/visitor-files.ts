import type { Plugin, Rolldown } from 'vite'
import { siteChunk } from './chunks.ts'
import { routesOf } from './route-pages.ts'

/** Modules public pages load by `import()`, which must work offline too. */
const laterForVisitors =
  /\/(stand-ins|app-notices|new-version|toast-region|public-requests|cached-responses|booking-dialog|call-picker|own-call-page|snag-list|reviews|quotes)\.tsx?$/

/**
 * Sorts the built files: `has` says whether a public page may need a file. The rest are for screens rendered in the browser, and
 * are cached once one of those has been opened on the device.
 */
export function createVisitorFiles() {
  const files = new Set<string>()
  let appPaths: readonly string[] = []

  const plugin: Plugin = {
    name: 'visitor-files',
    apply: 'build',
    configResolved({ define }) {
      const defined: unknown = JSON.parse(String(define?.__APP_PATHS__ ?? '[]'))
      appPaths = Array.isArray(defined) ? defined.map(String) : []
    },
    generateBundle(_options, bundle) {
      const add = (name: string) => {
        const file = bundle[name]
        if (!file || files.has(name)) return
        files.add(name)
        if (file.type !== 'chunk') return
        for (const css of file.viteMetadata?.importedCss ?? []) files.add(css)
        for (const imported of file.imports) add(imported)
      }
      for (const file of Object.values(bundle)) {
        if (file.type === 'asset' ? forAll.test(file.fileName) : isForVisitors(file, appPaths)) add(file.fileName)
      }
    },
  }
  return { plugin, has: (address: string) => files.has(address.replace(/^\//, '')) }
}

/** But for the letters that few names have. */
const forAll = /^(?!.*latin-ext).*\.(woff2|svg)$/

function isForVisitors({ name, moduleIds }: Rolldown.OutputChunk, appPaths: readonly string[]): boolean {
  if (name === siteChunk || moduleIds.some((id) => laterForVisitors.test(id))) return true
  return routesOf(moduleIds).some((id) => !appPaths.includes(id.replace(/(.)\/$/, '$1')))
}
