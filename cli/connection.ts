import type { Treaty } from '@elysiajs/eden'
import type { App } from '#api/app.ts'
import { brokenFile } from './exit-codes.ts'

export type Client = Treaty.Create<App>
export type Connection = {
  client: Client
  siteUrl: string
  close(): void
}

const isStreamed = (type: string) => type.startsWith('text/csv') || type === 'application/zip'

/**
 * Leaves the chunks of CSV and ZIP as they're sent; the client would otherwise turn one that looks like a number into a number. PDF
 * isn't text.
 */
export const treatyOptions = {
  parseDate: false,
  onResponse: (response: Response) => {
    const type = response.ok ? (response.headers.get('content-type') ?? '') : ''
    if (isStreamed(type)) return response.body
    return type === 'application/pdf' ? response.bytes().catch(throwBroken) : undefined
  },
} as const

function throwBroken(error: unknown): never {
  throw brokenFile(error)
}

/**
 * The client reads a clone of each response, and the original buffers everything the clone has read, so a large export would all be
 * in memory. For streams we return the response itself as its own clone.
 */
export function withoutCopy(response: Response): Response {
  return isStreamed(response.headers.get('content-type') ?? '')
    ? Object.defineProperty(response, 'clone', { value: () => response })
    : response
}
