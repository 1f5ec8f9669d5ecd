import { createRequire } from 'node:module'
import type { Plugin } from 'vite'

const require = createRequire(import.meta.url)
const suffix = '?as-module'
export const isReactModule = (id: string) => id.endsWith(suffix)

const packages = new Set(['react', 'react-dom', 'react/jsx-runtime'])

/**
 * React comes as CommonJS. Imported as it is, every chunk copies its exports into an object of its own and calls each through
 * it. So each package gets a module in front of it, once for all chunks. `react-dom/client` has one importer and needs none.
 */
export const reactModules: Plugin = {
  name: 'react-modules',
  apply: 'build',
  enforce: 'pre',
  async resolveId(source, importer, options) {
    // React's own packages require each other, and the module in front of one must reach what stands behind it.
    if (!packages.has(source) || ('kind' in options && options.kind === 'require-call')) return null
    if (importer?.endsWith(suffix)) return null
    const found = await this.resolve(source, importer, { ...options, skipSelf: true })
    return found && { id: `${found.id}${suffix}`, moduleSideEffects: false }
  },
  load(id) {
    if (!isReactModule(id)) return null
    const file = id.slice(0, -suffix.length)
    const names = Object.keys(require(file)).filter((name) => /^[a-z]\w*$/i.test(name) && name !== 'default')
    return [
      `import exported from ${JSON.stringify(file)}`,
      'export default exported',
      ...names.map((name) => `export const ${name} = exported.${name}`),
    ].join('\n')
  },
}
