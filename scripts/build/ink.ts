import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { projectFolder } from '#api/project.ts'

const inkFile = fileURLToPath(import.meta.resolve('ink'))
const yogaFile = createRequire(inkFile).resolve('yoga-layout/load')
/** Ink reads them while it loads. */
const yogaConstants = join(dirname(yogaFile), 'generated/YGEnums.js')

const compiledFile = join(projectFolder, 'cli/ink-compiled.ts')
const loadedFile = join(projectFolder, 'cli/ink-loaded.ts')

// None of our code is in either, so a source map would be no use.

/** Ink, React and its JSX functions as CommonJS, which bytecode needs. */
export const compiledInk = {
  entry: compiledFile,
  changes: {
    files: {
      [compiledFile]: `export * from 'ink'
        export * from 'react'
        export { Fragment, jsx, jsxs } from 'react/jsx-runtime'
        export { loadLayout } from 'yoga-layout'`,
    },
    // Safe to stub: the WebAssembly is embedded, and the developer tools are left out.
    define: { 'import.meta.url': '"file:///ink.js"', 'import.meta.resolve': 'String' },
    sourcemap: 'none',
  },
} as const

/** The same for modules that import it, with its layout engine loaded. */
export const loadedInk = {
  entry: loadedFile,
  changes: {
    files: {
      [loadedFile]: `import { loadLayout } from '#packages/ink-compiled'
        await loadLayout()
        export * from '#packages/ink-compiled'`,
    },
    external: ['#packages/*'],
    sourcemap: 'none',
  },
} satisfies { entry: string; changes: Partial<Bun.BuildConfig> }

/**
 * CommonJS can't await on loading, so a call loads the layout's WebAssembly, and we drop the developer tools, which Ink awaits at
 * top level. Widths come from Bun, as in our tables: compiling the emoji regexp in Ink's package takes 15 ms.
 */
export const inkPlugin: Bun.BunPlugin = {
  name: 'ink',
  setup: (build) => {
    build.onResolve({ filter: /^yoga-layout$/ }, () => ({ path: 'yoga-layout', namespace: 'loaded-later' }))
    build.onLoad({ filter: /./, namespace: 'loaded-later' }, () => ({
      contents: `import constants from ${JSON.stringify(yogaConstants)}
        import { loadYoga } from ${JSON.stringify(yogaFile)}
        const layout = { ...constants }
        export default layout
        export const loadLayout = async () => void Object.assign(layout, await loadYoga())`,
      loader: 'js',
    }))
    build.onLoad({ filter: /ink\/build\/reconciler\.js$/ }, ({ path }) => ({
      contents: withoutDeveloperTools(readFileSync(path, 'utf8')),
      loader: 'js',
    }))
    build.onLoad({ filter: /node_modules\/string-width\/index\.js$/ }, () => ({
      contents: 'export default Bun.stringWidth',
      loader: 'js',
    }))
  },
}

function withoutDeveloperTools(source: string): string {
  const asked = "process.env['DEV'] === 'true'"
  if (!source.includes(asked)) throw new Error(`Ink no longer asks for ${asked}: see scripts/build/ink.ts.`)
  return source.replaceAll(asked, 'false').replaceAll(/await (?=import\('\.\/devtools|loadPackageJson)/g, '')
}
