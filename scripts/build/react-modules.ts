import { createRequire } from 'node:module'
import type { Plugin } from 'vite'

const require = createRequire(import.meta.url)
const suffix = '?as-module'
export const isReactModule = (id: string) => id.endsWith(suffix)

const packages = new Set(['react', 'react-dom', 'react/jsx-runtime'])

/**
 * React is CommonJS. Imported directly, each chunk copies its exports into an object and calls them through it. So we put one
 * shared module in front of each package. `react-dom/client` has only one importer, so it doesn't need one.
 */
export const reactModules: Plugin = {
  name: 'react-modules',
  apply: 'build',
  enforce: 'pre',
  async resolveId(source, importer, options) {
    // React's packages require each other, and the module in front must reach the real one.
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
