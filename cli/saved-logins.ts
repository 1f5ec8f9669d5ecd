import { chmod, mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import * as v from 'valibot'
import { CliError, exitCodes } from './exit-codes.ts'
import { type Io, notify } from './io.ts'

const SavedLogin = v.object({ token: v.string(), email: v.string(), expiresAt: v.string() })
type SavedLogin = v.InferOutput<typeof SavedLogin>
const SavedLogins = v.record(v.string(), SavedLogin)
type SavedLogins = v.InferOutput<typeof SavedLogins>

/** In the user's own configuration folder; only they can read it. */
function loginsFile({ env }: Io): string {
  const configFolder = env.XDG_CONFIG_HOME || join(env.HOME || homedir(), '.config')
  return join(configFolder, 'alliance', 'tokens.json')
}

/** `ALLIANCE_TOKEN` takes precedence over the file. */
export async function findToken(io: Io, server: string): Promise<string | null> {
  return io.env.ALLIANCE_TOKEN || ((await findLogin(io, server))?.token ?? null)
}

export async function findLogin(io: Io, server: string): Promise<SavedLogin | null> {
  return (await readLogins(io))[server] ?? null
}

export async function saveLogin(io: Io, server: string, login: SavedLogin): Promise<void> {
  await writeLogins(io, { ...(await readLogins(io)), [server]: login })
}

export async function deleteLogin(io: Io, server: string): Promise<void> {
  const { [server]: _deleted, ...others } = await readLogins(io)
  await writeLogins(io, others)
}

async function readLogins(io: Io): Promise<SavedLogins> {
  const file = loginsFile(io)
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw new CliError(exitCodes.failed, `Can’t read the saved logins in ${file}: ${error.code ?? error.message}.`)
  })
  if (text === null) return {}
  const { mode } = await stat(file)
  if ((mode & 0o077) !== 0)
    await notify(io, `Other users of this machine can read your logins. To fix it: chmod 600 ${file}`)
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), SavedLogins), text)
  if (!parsed.success) throw new CliError(exitCodes.failed, `${file} is damaged. Delete it and log in again.`)
  return parsed.output
}

async function writeLogins(io: Io, logins: SavedLogins): Promise<void> {
  const file = loginsFile(io)
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  const temporary = `${file}.${process.pid}`
  await writeFile(temporary, `${JSON.stringify(logins, null, 2)}\n`, { mode: 0o600 })
  await chmod(temporary, 0o600)
  await rename(temporary, file)
}
