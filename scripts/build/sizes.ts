import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { PageTemplate } from '#shared/contract/page.ts'
import { budgets } from './budgets.ts'
import { brotli } from './compress.ts'

/** The style that stands in a document, as it would be sent by itself. */
export const inlineStyleBytes = (html: string) =>
  brotli(Buffer.from(html.match(/<style>(.*?)<\/style>/s)?.[1] ?? '')).byteLength

const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1).padStart(7)} kB`

/**
 * Prints what a first visit costs, compressed, and what the rest of the site adds. Throws where a public page would cost
 * its visitor too much.
 */
export const checkSizes = (client: string, template: PageTemplate, publicPaths: readonly string[]) => {
  const size = (address: string) => statSync(join(client, `${address}.br`)).size
  const sum = (addresses: readonly string[]) => addresses.reduce((total, address) => total + size(address), 0)
  const style = inlineStyleBytes(template.document)
  const entry = sum([template.entry, ...template.entryChunks])
  console.log(`style, inline  ${kilobytes(style)}`)
  console.log(`entry          ${kilobytes(entry)}`)
  const tooMuch = style > budgets.styles ? [over('The inline style', style, budgets.styles)] : []
  for (const [id, chunks] of Object.entries(template.routeChunks)) {
    const own = sum(chunks)
    console.log(`${id.padEnd(15)}${kilobytes(own)}`)
    const isPublic = publicPaths.includes(id.replace(/(.)\/$/, '$1'))
    if (isPublic && entry + own > budgets.scripts) tooMuch.push(over(`Scripts of ${id}`, entry + own, budgets.scripts))
  }
  const all = readdirSync(join(client, 'assets')).filter((name) => name.endsWith('.js'))
  console.log(`all scripts    ${kilobytes(sum(all.map((name) => `assets/${name}`)))}`)
  if (tooMuch.length > 0) throw new Error(`Too heavy for visitors (scripts/build/budgets.ts). ${tooMuch.join(' ')}`)
}

const over = (what: string, bytes: number, most: number) =>
  `${what}: ${kilobytes(bytes).trim()}, at most ${kilobytes(most).trim()}.`
