import { hostname } from 'node:os'
import type { Command } from 'commander'
import { type SharedOptions, serverOrigin } from '#cli/client.ts'
import { toSafeLine } from '#cli/control-characters.ts'
import { CliError, exitCodes, usageError } from '#cli/exit-codes.ts'
import { examples } from '#cli/help.ts'
import { type Io, notify } from '#cli/io.ts'
import { isForScript, printRecord } from '#cli/output.ts'
import { promptLine, readStdin } from '#cli/prompt.ts'
import { parseArgument, request } from '#cli/request.ts'
import { deleteLogin, findLogin, saveLogin } from '#cli/saved-logins.ts'
import { createRemoteClient, isSafeForPasswords, passwordsRead } from '#cli/transport-remote.ts'
import { Done, TokenRequest, TokenResponse } from '#shared/contract/auth.ts'
import { Email } from '#shared/contract/fields.ts'
import { FactorCode } from '#shared/contract/sign-in.ts'
import { formatLongDate } from '#shared/rules/london.ts'

type LoginOptions = SharedOptions & { email?: string; code?: string; passwordStdin?: true; insecure?: true }

export function registerLogin(login: Command, io: Io): void {
  login
    .option('-e, --email <address>', 'account email')
    .option('--code <digits>', 'authenticator app code, or a recovery code')
    .option('--password-stdin', 'read the password from standard input')
    .option('--insecure', 'send the password over plain http to another machine')
    .addHelpText('after', examples('login --api https://example.com'))
    .action((_own, command: Command) => logIn(io, command.optsWithGlobals()))
}

export function registerLogout(logout: Command, io: Io): void {
  logout
    .addHelpText('after', examples('logout --api https://example.com'))
    .action((_own, command: Command) => logOut(io, command.optsWithGlobals()))
}

async function logIn(io: Io, options: LoginOptions): Promise<void> {
  const origin = requireOrigin(io, options, 'The data folder on this machine needs no login. Use --api for a server.')
  await assertEncrypted(io, origin, options)
  const credentials = await readCredentials(io, options)
  const name = toSafeLine(`terminal on ${hostname()}`).slice(0, 100)
  const body = parseArgument(TokenRequest, { ...credentials, name, code: options.code })
  const login = await requestToken(io, origin, body)
  await saveLogin(io, origin, login)
  const { email, expiresAt } = login
  // We never print the token itself.
  if (isForScript(options)) await printRecord(io, options, { api: origin, email, expiresAt })
  await notify(io, `Logged in to ${origin} as ${email} until ${formatLongDate(expiresAt)}.`)
  if (io.env.ALLIANCE_TOKEN) await notify(io, 'ALLIANCE_TOKEN is set and takes precedence over this login.')
}

/** On a terminal we ask an owner with a second factor for the code; a script passes `--code`. */
async function requestToken(io: Io, origin: string, body: TokenRequest): Promise<TokenResponse> {
  const send = (sent: TokenRequest) =>
    request(TokenResponse, createRemoteClient(io, origin, null).api.auth.token.post(sent))
  try {
    return await send(body)
  } catch (error) {
    const isAsked = error instanceof CliError && error.code === 'second_factor_needed' && io.isTTY.stdin
    if (!isAsked) throw error
    await notify(io, error.message)
    return await send({ ...body, code: parseArgument(FactorCode, await promptLine(io, 'Code: ')) })
  }
}

function requireOrigin(io: Io, options: SharedOptions, missing: string): string {
  const origin = serverOrigin(io, options)
  if (origin === null) throw usageError(missing)
  return origin
}

async function assertEncrypted(io: Io, origin: string, { insecure }: LoginOptions): Promise<void> {
  if (isSafeForPasswords(origin)) return
  if (!insecure) throw usageError(`${passwordsRead(origin)} Use https, or --insecure to send it anyway.`)
  await notify(io, `Warning: ${passwordsRead(origin)}`)
}

type Credentials = { email: string; password: string }

async function readCredentials(io: Io, { email, passwordStdin }: LoginOptions): Promise<Credentials> {
  if (passwordStdin) {
    if (email === undefined) throw usageError('--password-stdin requires --email.')
    const password = await readStdin(io)
    if (password === '')
      throw usageError('No password came through standard input: add < file, or put a pipe before it.')
    return { email: parseArgument(Email, email), password }
  }
  if (!io.isTTY.stdin) throw usageError('Without a terminal, use --email and --password-stdin.')
  const address = parseArgument(Email, email ?? (await promptLine(io, 'Email: ')))
  return { email: address, password: await promptLine(io, 'Password: ', { isSecret: true }) }
}

async function logOut(io: Io, options: SharedOptions): Promise<void> {
  const origin = requireOrigin(io, options, 'The data folder on this machine has no login. Use --api for a server.')
  const saved = await findLogin(io, origin)
  const token = io.env.ALLIANCE_TOKEN || saved?.token
  if (token === undefined) {
    await notify(io, `You weren’t logged in to ${origin}.`)
    return
  }
  const failure = await revokeToken(io, origin, token)
  if (saved?.token === token) await deleteLogin(io, origin)
  if (failure !== null) throw failure
  await notify(io, `Logged out of ${origin}.`)
  if (io.env.ALLIANCE_TOKEN) await notify(io, 'ALLIANCE_TOKEN is still set, but no longer valid.')
}

/** Also null for a token the server no longer knows. */
async function revokeToken(io: Io, origin: string, token: string): Promise<CliError | null> {
  try {
    await request(Done, createRemoteClient(io, origin, token).api.auth.token.delete())
    return null
  } catch (error) {
    if (!(error instanceof CliError)) throw error
    if (error.exitCode === exitCodes.notAllowed) return null
    const message = `${error.message} The login’s deleted here, but still valid on the server.`
    return new CliError(error.exitCode, message)
  }
}
