import { chmod, mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import * as v from 'valibot'
import { exitCodes, Stop } from './exit.ts'
import { type Io, say } from './io.ts'

const KeptLogin = v.object({ token: v.string(), email: v.string(), expiresAt: v.string() })
export type KeptLogin = v.InferOutput<typeof KeptLogin>
const KeptLogins = v.record(v.string(), KeptLogin)
type KeptLogins = v.InferOutput<typeof KeptLogins>

/** One login per server, in a file of this person's own. */
export function tokenFile({ env }: Io): string {
  const home = env.XDG_CONFIG_HOME || join(env.HOME || homedir(), '.config')
  return join(home, 'alliance', 'tokens.json')
}

/** ALLIANCE_TOKEN goes before the file. */
export async function tokenFor(io: Io, address: string): Promise<string | null> {
  return io.env.ALLIANCE_TOKEN || ((await keptLogin(io, address))?.token ?? null)
}

export async function keptLogin(io: Io, address: string): Promise<KeptLogin | null> {
  return (await readLogins(io))[address] ?? null
}

export async function keepLogin(io: Io, address: string, login: KeptLogin): Promise<void> {
  await writeLogins(io, { ...(await readLogins(io)), [address]: login })
}

export async function forgetLogin(io: Io, address: string): Promise<void> {
  const { [address]: _ended, ...others } = await readLogins(io)
  await writeLogins(io, others)
}

async function readLogins(io: Io): Promise<KeptLogins> {
  const file = tokenFile(io)
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw new Stop(exitCodes.failed, `The logins kept in ${file} cannot be read: ${error.code ?? error.message}.`)
  })
  if (text === null) return {}
  const { mode } = await stat(file)
  if ((mode & 0o077) !== 0)
    await say(io, `Others on this machine can read your logins. Put it right: chmod 600 ${file}`)
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), KeptLogins), text)
  if (!parsed.success) throw new Stop(exitCodes.failed, `${file} is damaged. Delete it and log in again.`)
  return parsed.output
}

/** Whole or not at all: written beside, then put in place. */
async function writeLogins(io: Io, logins: KeptLogins): Promise<void> {
  const file = tokenFile(io)
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  const beside = `${file}.${process.pid}`
  await writeFile(beside, `${JSON.stringify(logins, null, 2)}\n`, { mode: 0o600 })
  await chmod(beside, 0o600)
  await rename(beside, file)
}
