import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { PageTemplate } from '#shared/contract/page.ts'

const isText = (name: string) => /\.(js|css|svg|webmanifest|txt)$/.test(name)

const brotli = (bytes: Buffer) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } })

/** Puts a .br and a .gz beside every text file, so that the server compresses nothing that never changes. */
export const compressFiles = (folder: string) => {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const file = join(folder, name)
    if (!isText(name) || !statSync(file).isFile()) continue
    const bytes = readFileSync(file)
    writeFileSync(`${file}.br`, brotli(bytes))
    writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }))
  }
}

const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1).padStart(7)} kB`

/** Prints what a first visit costs, compressed, and what the rest of the site adds. */
export const printSizes = (client: string, template: PageTemplate) => {
  const size = (address: string) => statSync(join(client, `${address}.br`)).size
  const sum = (addresses: readonly string[]) => addresses.reduce((total, address) => total + size(address), 0)
  const entry = [template.entry, ...template.entryChunks]
  const style = template.document.match(/<style>(.*)<\/style>/s)?.[1] ?? ''
  console.log(`style, inline  ${kilobytes(brotli(Buffer.from(style)).length)}`)
  console.log(`entry          ${kilobytes(sum(entry))}`)
  for (const [id, chunks] of Object.entries(template.routeChunks)) {
    console.log(`${id.padEnd(15)}${kilobytes(sum(chunks))}`)
  }
  const all = readdirSync(join(client, 'assets')).filter((name) => name.endsWith('.js'))
  console.log(`all scripts    ${kilobytes(sum(all.map((name) => `assets/${name}`)))}`)
}
