import type { Treaty } from '@elysiajs/eden'
import type { App } from '#api/app.ts'
import { wrongUsage } from './exit.ts'
import type { Io } from './io.ts'

/** The API, typed: the same calls reach a server far away or the database file here. */
export type Client = Treaty.Create<App>
export type Connection = { client: Client; close(): void }

/**
 * How the typed client reads an answer. CSV comes whole, as text: left alone it would take a piece of one that looks like a
 * number for a number.
 */
export const reading = {
  parseDate: false,
  onResponse: (response: Response) =>
    response.ok && response.headers.get('content-type')?.startsWith('text/csv') ? response.text() : undefined,
} as const

/** Options that every command takes. */
export type SharedOptions = { api?: string; json?: true; csv?: true }

/** The server's origin, or null for the data folder of this machine. */
export function apiAddress(io: Io, options: SharedOptions): string | null {
  const given = options.api ?? (io.env.ALLIANCE_API || undefined)
  if (given === undefined) return null
  const url = URL.canParse(given) ? new URL(given) : null
  const isPlain =
    url?.pathname === '/' && url.search === '' && url.hash === '' && url.username === '' && url.password === ''
  if (url === null || !isPlain || !/^https?:$/.test(url.protocol)) {
    throw wrongUsage('The address of the API is an origin, such as https://example.com or http://localhost:3000.')
  }
  return url.origin
}

/** Opens one of the two transports; neither is loaded before it is needed. */
export async function connect(io: Io, options: SharedOptions): Promise<Connection> {
  const address = apiAddress(io, options)
  if (address === null) return (await import('./local.ts')).openLocal(io)
  return (await import('./remote.ts')).openRemote(io, address)
}

/** For the length of one piece of work. */
export async function withClient<Result>(
  io: Io,
  options: SharedOptions,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const { client, close } = await connect(io, options)
  try {
    return await work(client)
  } finally {
    close()
  }
}
