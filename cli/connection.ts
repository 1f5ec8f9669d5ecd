import type { Treaty } from '@elysiajs/eden'
import type { App } from '#api/app.ts'
import { brokenFile } from './exit-codes.ts'

export type Client = Treaty.Create<App>
/** A call by its path, with the login and the question for the password that the client has. The body may be sent twice. */
export type Send = (path: string, call: Sent) => Promise<Response>
export type Sent = {
  method: string
  headers: Readonly<Record<string, string>>
  body?: string | Uint8Array<ArrayBuffer>
}
export type Connection = {
  client: Client
  send: Send
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
