import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { createApp } from '#api/app.ts'
import { type Context, openContext } from '#api/context.ts'
import { databaseFile } from '#api/db/data-dir.ts'
import { readSettings } from '#api/settings.ts'
import type { PaymentWorld } from './payments.ts'
import { type Call, toRequest } from './world.ts'

/** A folder with the world's database as it is now. Servers on it share the world's Stripe. */
export function copyFolder({ ctx }: PaymentWorld, dataDir: string): string {
  mkdirSync(dataDir, { recursive: true })
  ctx.sqlite.prepare('vacuum into ?').run(databaseFile(dataDir))
  return dataDir
}

/** `counts`: every step, or the changes asked of Stripe alone, each before and after. `at`: 0 is never. */
export type Death = { at: number; counts?: 'all' | 'writes' }

/** Sends a request to a server of its own, which dies at a step of it. Returns how many steps there are if it survived. */
export async function askAndDie(
  { sandbox }: PaymentWorld,
  dataDir: string,
  requestOn: (url: string) => Request | Promise<Request>,
  { at, counts = 'all' }: Death,
): Promise<{ steps: number; status: number } | null> {
  const program = join(import.meta.dirname, 'killable-server.ts')
  const child = Bun.spawn(
    [process.execPath, '--no-env-file', program, dataDir, String(sandbox.port), String(at), counts],
    { env: { PATH: process.env.PATH }, stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const { value } = await child.stdout.getReader().read()
  const url = `http://127.0.0.1:${new TextDecoder().decode(value).trim()}`
  const status = await fetch(await requestOn(url)).then(
    (response) => response.status,
    () => null,
  )
  const answer = status === null ? null : { status, steps: Number(await (await fetch(`${url}/steps`)).text()) }
  child.kill('SIGKILL')
  await child.exited
  return answer
}

type StartedAgain = { ctx: Context; call: Call; handle(request: Request): Promise<Response>; stop(): void }

/** The server, started again on a folder. */
export function startAgainOn({ sandbox }: PaymentWorld, dataDir: string): StartedAgain {
  const ctx = openContext(readSettings({ DATA_DIR: dataDir, SANDBOX_PORT: String(sandbox.port) }))
  const app = createApp(ctx)
  const handle = async (request: Request) => app.handle(request)
  return {
    ctx,
    handle,
    call: async (path, options) => handle(toRequest(path, options)),
    stop: () => ctx.sqlite.close(),
  }
}
