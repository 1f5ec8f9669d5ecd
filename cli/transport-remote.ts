import { treaty } from '@elysiajs/eden'
import type { App } from '#api/app.ts'
import { type Client, type Connection, treatyOptions } from './connection.ts'
import { CliError, exitCodes } from './exit-codes.ts'
import type { Io } from './io.ts'
import { findToken } from './saved-logins.ts'

const timeoutMs = 60_000
/** `invoices fix` reads every member at the payment provider. */
const fixTimeoutMs = 15 * 60_000

/** A server elsewhere, as the account that logged in there. */
export async function openRemote(io: Io, origin: string): Promise<Connection> {
  const token = await findToken(io, origin)
  if (token === null) throw new CliError(exitCodes.notAllowed, `Log in first: alliance login --api ${origin}`)
  return { client: createRemoteClient(io, origin, token), close() {} }
}

export function createRemoteClient(io: Io, origin: string, token: string | null): Client {
  const call = async (...[input, init]: Parameters<typeof fetch>) => {
    const isFix = String(input instanceof Request ? input.url : input).endsWith('/fix-member-invoices')
    const signal = AbortSignal.any([io.signal, AbortSignal.timeout(isFix ? fixTimeoutMs : timeoutMs)])
    try {
      // A redirect could take the token or a password to another server.
      return await fetch(input, { ...init, redirect: 'manual', signal })
    } catch (error) {
      throw new CliError(exitCodes.failed, `No response from ${origin} (${reasonFor(error)}). Is the server running?`)
    }
  }
  return treaty<App>(origin, {
    ...treatyOptions,
    headers: token === null ? {} : { authorization: `Bearer ${token}` },
    fetcher: Object.assign(call, { preconnect: fetch.preconnect }),
  })
}

/** Such as `ConnectionRefused` or `TimeoutError`. */
function reasonFor(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}
