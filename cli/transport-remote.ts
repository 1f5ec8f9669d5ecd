import { treaty } from '@elysiajs/eden'
import * as v from 'valibot'
import type { App } from '#api/app.ts'
import { ErrorBody } from '#shared/contract/error.ts'
import { type Client, type Connection, treatyOptions, withoutCopy } from './connection.ts'
import { CliError, exitCodes, reasonFor } from './exit-codes.ts'
import type { Io } from './io.ts'
import { promptLine } from './prompt.ts'
import { findToken } from './saved-logins.ts'

const timeoutMs = 60_000
/** `invoices fix` reads every member at the payment provider; an export may hold years. */
const longTimeoutMs = 15 * 60_000

/** A server elsewhere, as the account that logged in there. */
export async function openRemote(io: Io, origin: string): Promise<Connection> {
  const token = await findToken(io, origin)
  if (token === null) throw new CliError(exitCodes.notAllowed, `Log in first: alliance login --api ${origin}`)
  return { client: createRemoteClient(io, origin, token), close() {}, siteUrl: origin }
}

export function createRemoteClient(io: Io, origin: string, token: string | null): Client {
  const call = async (...[input, init]: Parameters<typeof fetch>) => {
    const isLong = /\/(fix-member-invoices$|exports\/|invoice-lint$)/.test(
      String(input instanceof Request ? input.url : input),
    )
    const signal = AbortSignal.any([io.signal, AbortSignal.timeout(isLong ? longTimeoutMs : timeoutMs)])
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
    fetcher: Object.assign(
      async (...request: Parameters<typeof fetch>) => {
        const response = withoutCopy(await call(...request))
        return (await needsPassword(response)) ? proveAndRepeat(io, { call, origin, token }, request) : response
      },
      { preconnect: fetch.preconnect },
    ),
  })
}

async function needsPassword(response: Response): Promise<boolean> {
  if (response.status !== 403) return false
  const body = v.safeParse(
    ErrorBody,
    await response
      .clone()
      .json()
      .catch(() => null),
  )
  return body.success && body.output.error.code === 'password_needed'
}

type Caller = {
  call: (...request: Parameters<typeof fetch>) => Promise<Response>
  origin: string
  token: string | null
}

/** Whether a password that goes there can be read by nobody on the way: encrypted, or within this machine. */
export function isSafeForPasswords(origin: string): boolean {
  const { protocol, hostname } = new URL(origin)
  // An address has four numbers here, however it was typed; a name that begins like one is anybody's.
  return protocol !== 'http:' || hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname)
}

export const passwordsRead = (origin: string) =>
  `${origin} is not encrypted, so others on the network can read the password.`

/** Asks the person at the terminal for the password and makes the call once more. What the server says of a wrong one is the response. */
async function proveAndRepeat(io: Io, { call, origin, token }: Caller, request: Parameters<typeof fetch>) {
  if (!io.isTTY.stdin) {
    const sentence = 'This needs your password, and nobody is here to type it. Run it in a terminal. Nothing was done.'
    throw new CliError(exitCodes.notAllowed, sentence)
  }
  if (!isSafeForPasswords(origin)) {
    const sentence = `This needs your password. ${passwordsRead(origin)} Use https. Nothing was done.`
    throw new CliError(exitCodes.usage, sentence)
  }
  const password = await promptLine(io, 'Your password: ', { isSecret: true })
  const proof = await call(`${origin}/api/auth/proof`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ password }),
  })
  return proof.ok ? call(...request) : proof
}
