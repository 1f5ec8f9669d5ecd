import { treaty } from '@elysiajs/eden'
import type { App } from '#api/app.ts'
import { type Client, type Connection, reading } from './client.ts'
import { exitCodes, Stop } from './exit.ts'
import type { Io } from './io.ts'
import { tokenFor } from './session.ts'

const longestAnswerMs = 60_000
/** It reads every member at the payment provider. */
const longestFixMs = 15 * 60_000

/** A server far away, as the person whose token is kept for it. */
export async function openRemote(io: Io, address: string): Promise<Connection> {
  const token = await tokenFor(io, address)
  if (token === null) throw new Stop(exitCodes.notAllowed, `Please log in first: alliance login --api ${address}`)
  return { client: remoteClient(io, address, token), close() {} }
}

export function remoteClient(io: Io, address: string, token: string | null): Client {
  const call = async (...[input, init]: Parameters<typeof fetch>) => {
    const isFix = String(input instanceof Request ? input.url : input).endsWith('/fix-member-invoices')
    const signal = AbortSignal.any([io.signal, AbortSignal.timeout(isFix ? longestFixMs : longestAnswerMs)])
    try {
      // A redirect could carry the token, or a password, to another server.
      return await fetch(input, { ...init, redirect: 'manual', signal })
    } catch (error) {
      throw new Stop(exitCodes.failed, `No answer from ${address} (${reasonOf(error)}). Is the server running?`)
    }
  }
  return treaty<App>(address, {
    ...reading,
    headers: token === null ? {} : { authorization: `Bearer ${token}` },
    fetcher: Object.assign(call, { preconnect: fetch.preconnect }),
  })
}

/** ConnectionRefused, TimeoutError and the like. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}
