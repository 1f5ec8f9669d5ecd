import { statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants } from 'node:zlib'
import { build } from 'vite'
import { inBrowser } from './browser.ts'
import type { House } from './house.ts'
import { root, startProduct, whileRunning } from './programs.ts'
import { compared, inKb, type Result } from './result.ts'

/** All that the first page loads, also what it asks for later by itself, beside React's own part of it. */
export async function measureScriptSize(house: House): Promise<Result[]> {
  const loaded = await inBrowser((browser) =>
    whileRunning(startProduct(house.copy()), async ({ url }) => {
      const page = await browser.newPage()
      await page.goto(url, { waitUntil: 'networkidle' })
      const addresses = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name))
      return [...new Set(addresses.map((address) => new URL(address).pathname))].filter((path) => path.endsWith('.js'))
    }),
  )
  const product = loaded.reduce((sum, path) => sum + statSync(join(root, 'pwa/dist/client', `${path}.br`)).size, 0)
  const floor = await sizeOfReactDom()
  const row = `Public page's JavaScript, brotli, ${loaded.length} files`
  return [compared(row, { floor, product, ratio: product / floor }, inKb, { atMost: 1.9 })]
}

/** Built and compressed as the site is. */
async function sizeOfReactDom(): Promise<number> {
  const made = await build({
    configFile: false,
    root,
    mode: 'production',
    logLevel: 'warn',
    build: {
      write: false,
      modulePreload: { polyfill: false },
      rolldownOptions: { input: fileURLToPath(new URL('./floors/react-dom.ts', import.meta.url)) },
    },
  })
  if (!('output' in made)) throw new Error('React alone could not be built.')
  const code = made.output.map((part) => (part.type === 'chunk' ? part.code : '')).join('')
  return brotliCompressSync(code, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }).byteLength
}
