import type { Treaty } from '@elysiajs/eden'
import type { App } from '#api/app.ts'
import { brokenFile } from './exit-codes.ts'

/** The typed API. The same calls reach a remote server or the database file on this machine. */
export type Client = Treaty.Create<App>
export type Connection = {
  client: Client
  /** Where the site is opened in a browser. */
  siteUrl: string
  close(): void
}

/** CSV comes as it is sent, however long it is: by itself the client turns a chunk that looks like a number into one. PDF and ZIP are no text. */
export const treatyOptions = {
  parseDate: false,
  onResponse: (response: Response) => {
    const type = response.ok ? (response.headers.get('content-type') ?? '') : ''
    return type.startsWith('text/csv')
      ? response.body
      : type === 'application/pdf' || type === 'application/zip'
        ? response.bytes().catch(throwBroken)
        : undefined
  },
} as const

function throwBroken(error: unknown): never {
  throw brokenFile(error)
}

/**
 * The client reads a copy of each response, and the original keeps all that the copy has passed on: an export would be held as a
 * whole. What is streamed is therefore its own copy.
 */
export function withoutCopy(response: Response): Response {
  const isStreamed = response.headers.get('content-type')?.startsWith('text/csv') ?? false
  return isStreamed ? Object.defineProperty(response, 'clone', { value: () => response }) : response
}
