import type { Client, Connection, Send } from './connection.ts'
import { usageError } from './exit-codes.ts'
import type { Io } from './io.ts'

export type SharedOptions = {
  api?: string
  /** The fields wanted, or true or empty for all of them. */
  json?: string | true
  csv?: string | true
  /** A path into the JSON, whose values are printed one per line. */
  jq?: string
  quiet?: true
}

/** The server's origin; null for the data folder on this machine. */
export function serverOrigin(io: Io, options: SharedOptions): string | null {
  const given = options.api ?? (io.env.ALLIANCE_API || undefined)
  if (given === undefined) return null
  const url = URL.canParse(given) ? new URL(given) : null
  const isOrigin =
    url?.pathname === '/' && url.search === '' && url.hash === '' && url.username === '' && url.password === ''
  if (url === null || !isOrigin || !/^https?:$/.test(url.protocol)) {
    throw usageError('The API address must be an origin, such as https://example.com or http://localhost:3000.')
  }
  return url.origin
}

type Opening = { mayCreate?: boolean }

/** Opens one of the two transports, and only loads that one. */
async function openConnection(io: Io, options: SharedOptions, opening: Opening): Promise<Connection> {
  const origin = serverOrigin(io, options)
  if (origin === null) return (await import('./transport-local.ts')).openLocal(io, opening)
  return (await import('./transport-remote.ts')).openRemote(io, origin)
}

export async function withClient<Result>(
  io: Io,
  options: SharedOptions,
  work: (client: Client, siteUrl: string, send: Send) => Promise<Result>,
  opening: Opening = {},
): Promise<Result> {
  const { client, send, siteUrl, close } = await openConnection(io, options, opening)
  try {
    return await work(client, siteUrl, send)
  } finally {
    close()
  }
}
