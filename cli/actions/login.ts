import { hostname } from 'node:os'
import { ask, typed } from '#cli/ask.ts'
import { cleanLine } from '#cli/clean.ts'
import { apiAddress, type SharedOptions } from '#cli/client.ts'
import { exitCodes, Stop, wrongUsage } from '#cli/exit.ts'
import { type Io, say } from '#cli/io.ts'
import { isForScript, print } from '#cli/output.ts'
import { askLine, readAll } from '#cli/prompt.ts'
import { remoteClient } from '#cli/remote.ts'
import { loginReport } from '#cli/reports/login.ts'
import { forgetLogin, keepLogin, keptLogin } from '#cli/session.ts'
import { Done, TokenRequest, TokenResponse } from '#shared/contract/auth.ts'
import { Email } from '#shared/contract/fields.ts'
import { formatLongDate } from '#shared/rules/london.ts'

export type LoginOptions = SharedOptions & { email?: string; passwordStdin?: true }

export async function login(io: Io, options: LoginOptions): Promise<void> {
  const address = serverOf(io, options, 'The data folder here needs no login. For a server give --api URL.')
  await warnOfPlainText(io, address)
  const { email, password } = await credentials(io, options)
  const name = cleanLine(`terminal on ${hostname()}`).slice(0, 100)
  const body = typed(TokenRequest, { email, password, name })
  const answer = await ask(TokenResponse, remoteClient(io, address, null).api.auth.token.post(body))
  await keepLogin(io, address, answer)
  const { token: _secret, ...login } = answer
  if (isForScript(options)) await print(io, options, loginReport({ ...login, api: address }))
  await say(io, `Logged in to ${address} as ${login.email}, until ${formatLongDate(login.expiresAt)}.`)
  if (io.env.ALLIANCE_TOKEN) await say(io, 'ALLIANCE_TOKEN is set, and goes before this login.')
}

function serverOf(io: Io, options: SharedOptions, otherwise: string): string {
  const address = apiAddress(io, options)
  if (address === null) throw wrongUsage(otherwise)
  return address
}

async function warnOfPlainText(io: Io, address: string): Promise<void> {
  const { protocol, hostname } = new URL(address)
  const isHere = hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.')
  if (protocol === 'http:' && !isHere)
    await say(io, `${address} is not encrypted: others on the way can read the password.`)
}

async function credentials(
  io: Io,
  { email, passwordStdin }: LoginOptions,
): Promise<{ email: string; password: string }> {
  if (passwordStdin) {
    if (email === undefined) throw wrongUsage('--password-stdin needs --email beside it.')
    return { email: typed(Email, email), password: await readAll(io) }
  }
  if (!io.isTTY.stdin) throw wrongUsage('Without a terminal, give --email and --password-stdin.')
  const address = typed(Email, email ?? (await askLine(io, 'E-mail: ')))
  return { email: address, password: await askLine(io, 'Password: ', { isSecret: true }) }
}

export async function logout(io: Io, options: SharedOptions): Promise<void> {
  const address = serverOf(io, options, 'The data folder here knows no login. For a server give --api URL.')
  const kept = await keptLogin(io, address)
  const token = io.env.ALLIANCE_TOKEN || kept?.token
  if (token === undefined) {
    await say(io, `You were not logged in to ${address}.`)
    return
  }
  const failure = await revoke(io, address, token)
  if (kept?.token === token) await forgetLogin(io, address)
  if (failure !== null) throw failure
  await say(io, `Logged out of ${address}.`)
  if (io.env.ALLIANCE_TOKEN) await say(io, 'ALLIANCE_TOKEN is still set, and no longer worth anything.')
}

/** A token that the server no longer knows is as good as ended. */
async function revoke(io: Io, address: string, token: string): Promise<Stop | null> {
  try {
    await ask(Done, remoteClient(io, address, token).api.auth.token.delete())
    return null
  } catch (error) {
    if (!(error instanceof Stop)) throw error
    if (error.exitCode === exitCodes.notAllowed) return null
    return new Stop(error.exitCode, `${error.message} The login is gone from here; the server still knows it.`)
  }
}
