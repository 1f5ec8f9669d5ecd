import { treaty } from '@elysiajs/eden'
import type { App } from '#api/app.ts'
import type { Client, Connection } from './client.ts'
import { exitCodes, Stop } from './exit.ts'
import type { Io } from './io.ts'
import { tokenFor } from './session.ts'

const longestAnswerMs = 60_000

/** A server far away, as the person whose token is kept for it. */
export async function openRemote(io: Io, address: string): Promise<Connection> {
  const token = await tokenFor(io, address)
  if (token === null) throw new Stop(exitCodes.notAllowed, `Please log in first: alliance login --api ${address}`)
  return { client: remoteClient(io, address, token), close() {} }
}

export function remoteClient(io: Io, address: string, token: string | null): Client {
  return treaty<App>(address, {
    parseDate: false,
    headers: token === null ? {} : { authorization: `Bearer ${token}` },
    // A redirect could carry the token, or a password, to another server.
    onRequest: () => ({
      redirect: 'manual',
      signal: AbortSignal.any([io.signal, AbortSignal.timeout(longestAnswerMs)]),
    }),
  })
}
