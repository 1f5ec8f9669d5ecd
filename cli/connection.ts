import type { Treaty } from '@elysiajs/eden'
import type { App } from '#api/app.ts'

/** The typed API. The same calls reach a remote server or the database file on this machine. */
export type Client = Treaty.Create<App>
export type Connection = { client: Client; close(): void }

/** CSV is read whole, as text: by itself the client turns a chunk that looks like a number into one. A PDF is no text. */
export const treatyOptions = {
  parseDate: false,
  onResponse: (response: Response) => {
    const type = response.ok ? (response.headers.get('content-type') ?? '') : ''
    return type.startsWith('text/csv') ? response.text() : type === 'application/pdf' ? response.bytes() : undefined
  },
} as const
