import { treaty } from '@elysiajs/eden'
import * as v from 'valibot'
import type { App } from '#api/app.ts'
import { ErrorBody } from '#shared/contract/error.ts'
import { type Client, type Connection, treatyOptions, withoutCopy } from './connection.ts'
import { CliError, exitCodes, reasonFor } from './exit-codes.ts'
import type { Io } from './io.ts'
import { promptLine } from './prompt.ts'
import { findToken } from './saved-logins.ts'

/** The longest silence we accept. The server itself closes a connection after half of it without data. */
const silenceMs = 60_000

/**
 * For calls without a time limit on the server, which respond once everything's done. They read every customer at Stripe (half an
 * hour for ten thousand at twenty requests a second), or move the sandbox by years.
 */
const longSilenceMs = 60 * 60_000
const longCalls = /\/(fix-member-invoices|jobs\/[^/]+\/run|sandbox\/advance)$/

export async function openRemote(io: Io, origin: string): Promise<Connection> {
  const token = await findToken(io, origin)
  if (token === null) throw new CliError(exitCodes.notAllowed, `Log in first: alliance login --api ${origin}`)
  const fetcher = createFetcher(io, origin, token)
  return {
    client: createRemoteClient(io, origin, token),
    send: (path, { headers, ...call }) =>
      fetcher(origin + path, { ...call, headers: { ...headers, authorization: `Bearer ${token}` } }),
    close() {},
    siteUrl: origin,
  }
}

export const createRemoteClient = (io: Io, origin: string, token: string | null): Client =>
  treaty<App>(origin, {
    ...treatyOptions,
    headers: token === null ? {} : { authorization: `Bearer ${token}` },
    fetcher: createFetcher(io, origin, token),
  })

function createFetcher(io: Io, origin: string, token: string | null): typeof fetch {
  const call = async (...[input, init]: Parameters<typeof fetch>) => {
    const isLong = longCalls.test(String(input instanceof Request ? input.url : input))
    const limit = limitSilence(isLong ? longSilenceMs : silenceMs)
    const signal = AbortSignal.any([io.signal, limit.signal])
    try {
      // A redirect could send the token or a password to another server.
      const response = await limit.hear(() => fetch(input, { ...init, redirect: 'manual', signal }))
      return response.body === null ? response : new Response(limited(response.body, limit), response)
    } catch (error) {
      throw new CliError(exitCodes.failed, `No response from ${origin} (${reasonFor(error)}). Is the server running?`)
    }
  }
  return Object.assign(
    async (...request: Parameters<typeof fetch>) => {
      const response = withoutCopy(await call(...request))
      return (await needsPassword(response)) ? proveAndRepeat(io, { call, origin, token }, request) : response
    },
    { preconnect: fetch.preconnect },
  )
}

type Limit = { signal: AbortSignal; hear<Result>(listen: () => Promise<Result>): Promise<Result> }

/** Limits each wait, not their total, so a transfer can take as long as it needs. */
function limitSilence(ms: number): Limit {
  const silence = new AbortController()
  return {
    signal: silence.signal,
    async hear(listen) {
      const sentence = `The server hasn’t responded for ${ms / 1000} seconds. Check it, and run the command again.`
      const abort = () => silence.abort(new DOMException(sentence, 'TimeoutError'))
      const timer = setTimeout(abort, ms)
      try {
        return await listen()
      } finally {
        clearTimeout(timer)
      }
    },
  }
}

/** Reads only when its reader does, so that a slow reader doesn't count as a silent server. */
function limited(body: ReadableStream<Uint8Array>, { hear }: Limit): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { value, done } = await hear(() => reader.read())
        if (done) controller.close()
        else controller.enqueue(value)
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
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

/** Whether a password sent there is safe from eavesdroppers: encrypted, or within this machine. */
export function isSafeForPasswords(origin: string): boolean {
  const { protocol, hostname } = new URL(origin)
  // By now URL has turned an IP address into four numbers, however it was typed. A name that only starts like one could be
  // anyone's.
  return protocol !== 'http:' || hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname)
}

export const passwordsRead = (origin: string) =>
  `${origin} isn’t encrypted, so others on the network can read the password.`

/** Asks for the password on the terminal and repeats the call. If it's wrong, the server's error is the response. */
async function proveAndRepeat(io: Io, { call, origin, token }: Caller, request: Parameters<typeof fetch>) {
  if (!io.isTTY.stdin) {
    const sentence =
      'This needs your password, and there’s no one here to type it. Run it in a terminal. Nothing was done.'
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
