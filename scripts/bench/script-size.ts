import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { brotli } from '../build/compress.ts'
import { root } from './programs.ts'

/** Bytes of the least that a page drawn by React must load, built and compressed as the site is. */
export async function sizeOfReactDom(): Promise<number> {
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
  return brotli(Buffer.from(code)).byteLength
}
