import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { PageTemplate } from '#shared/contract/page.ts'
import { budgets, headerBytes } from './budgets.ts'
import { brotli } from './compress.ts'

export const inlineStyleBytes = (html: string) =>
  brotli(Buffer.from(html.match(/<style>(.*?)<\/style>/s)?.[1] ?? '')).byteLength

const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1).padStart(7)} kB`

type Built = { template: PageTemplate; publicPaths: readonly string[]; adminFiles: readonly string[] }

/** Prints the sizes of the site's scripts (compressed, with headers) and style. Throws if a page is over budget. */
export function checkSizes(client: string, { template, publicPaths, adminFiles }: Built): void {
  const size = (address: string) => statSync(join(client, `${address}.br`)).size + headerBytes
  const sum = (addresses: readonly string[]) => addresses.reduce((total, address) => total + size(address), 0)
  const style = inlineStyleBytes(template.document)
  const entry = sum([template.entry, ...template.entryChunks])
  console.log(`style, inline  ${kilobytes(style)}`)
  console.log(`entry          ${kilobytes(entry)}`)
  const overruns = style > budgets.styles ? [describeOverrun('The inline style', style, budgets.styles)] : []
  for (const [id, chunks] of Object.entries(template.routeChunks)) {
    const own = sum(chunks)
    console.log(`${id.padEnd(15)}${kilobytes(own)}`)
    const isPublic = publicPaths.includes(id.replace(/(.)\/$/, '$1'))
    if (isPublic && entry + own > budgets.scripts)
      overruns.push(describeOverrun(`Scripts of ${id}`, entry + own, budgets.scripts))
    if (chunks.some(isOffice))
      overruns.push(
        `${id} loads the owners' frame for everyone: move what they share to a chunk before it (chunks.ts).`,
      )
  }
  const admin = sum(adminFiles)
  console.log(`admin, at first${kilobytes(admin)}`)
  if (admin > budgets.adminScripts)
    overruns.push(describeOverrun("Scripts of the owners' first screen", admin, budgets.adminScripts))
  const all = readdirSync(join(client, 'assets')).filter((name) => name.endsWith('.js'))
  console.log(`all scripts    ${kilobytes(sum(all.map((name) => `assets/${name}`)))}`)
  if (overruns.length > 0) throw new Error(`Over the budget (scripts/build/budgets.ts). ${overruns.join(' ')}`)
}

const isOffice = (address: string) => /\/office-[\w-]+\.js$/.test(address)

const describeOverrun = (what: string, bytes: number, most: number) =>
  `${what}: ${bytes.toLocaleString('en-GB')} bytes, at most ${most.toLocaleString('en-GB')}.`
