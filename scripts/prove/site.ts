import { openSync } from 'node:fs'
import { type Context, openContext } from '#api/context.ts'
import { insertRow } from '#api/db/insert.ts'
import { users } from '#api/db/schema/people.ts'
import { startSession } from '#api/features/accounts/login/session-service.ts'
import { readSettings } from '#api/settings.ts'
import { baseEnv, productEnv, type RunningServer, root, startServer } from '../bench/programs.ts'

/** The bundled server as its own process on a data folder. It keeps its ports over a kill, because webhooks go to them. */
export type Site = {
  dataDir: string
  url: string
  providerUrl: string
  env: Record<string, string>
  pid(): number
  ending(): string | null
  start(): Promise<void>
  kill(): Promise<void>
  stop(): Promise<void>
}

export async function openSite(dataDir: string, more: Record<string, string> = {}): Promise<Site> {
  // Each client has an address of its own, so none uses up another's limits.
  const env = { ...(await productEnv(dataDir)), FFMPEG: 'off', TRUSTED_PROXIES: '127.0.0.1', ...more }
  const log = openSync(`${dataDir}.log`, 'a')
  let running: RunningServer | null = null
  const site: Site = {
    dataDir,
    env,
    url: `http://127.0.0.1:${env.PORT}`,
    providerUrl: `http://127.0.0.1:${env.SANDBOX_PORT}`,
    pid: () => running?.pid ?? 0,
    ending: () => running?.ending() ?? null,
    async start() {
      running = await startServer(['dist/api/main.js'], env, log)
    },
    async kill() {
      await running?.kill()
      running = null
    },
    async stop() {
      await running?.stop()
      running = null
    },
  }
  await site.start()
  return site
}

export type Sent = {
  method?: string
  cookie?: string | undefined
  json?: unknown
  body?: BodyInit | undefined
  headers?: Record<string, string>
}

export function send(site: Pick<Site, 'url'>, path: string, sent: Sent = {}): Promise<Response> {
  const { cookie, json, headers, method = json === undefined ? 'GET' : 'POST' } = sent
  const body = json === undefined ? sent.body : JSON.stringify(json)
  return fetch(site.url + path, {
    method,
    headers: {
      'x-forwarded-for': anyAddress(),
      ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      ...(cookie === undefined ? {} : { cookie }),
      ...headers,
    },
    ...(body === undefined ? {} : { body }),
    signal: AbortSignal.timeout(30_000),
  })
}

const anyAddress = () => `10.${below(250)}.${below(250)}.${below(250)}`
export const below = (most: number): number => Math.floor(Math.random() * most)

/** Reads or fills the folder beside the server, as the terminal does. */
export function beside<Result>({ dataDir }: Pick<Site, 'dataDir'>, work: (ctx: Context) => Result): Result {
  const ctx = openContext(readSettings({ DATA_DIR: dataDir }), { mayMigrate: false })
  try {
    return work(ctx)
  } finally {
    ctx.sqlite.close()
  }
}

const cookieOf = (ctx: Context, id: string) => startSession(ctx, id, { isProven: true }).split(';')[0] ?? ''

/** Someone who has just given the password. */
export const logInAs = (site: Pick<Site, 'dataDir'>, email: string): string =>
  beside(site, (ctx) => {
    const id = ctx.sqlite.prepare<[string], string>('select id from users where email = ?').pluck().get(email)
    if (id === undefined) throw new Error(`There's no ${email}.`)
    return cookieOf(ctx, id)
  })

export const ownerEmail = 'owner@alliance.test'

export type Member = { id: string; email: string; cookie: string }

/** With access from the owners, to the standard tier. Stripe doesn't know them. */
export const addMembers = (site: Pick<Site, 'dataDir'>, count: number): Member[] =>
  beside(site, (ctx) =>
    Array.from({ length: count }, (_, index) => {
      const [id, at] = [ctx.newId(), ctx.now().toISOString()]
      const email = `member-${index}-${id.slice(-6)}@example.com`
      insertRow(ctx, users, { id, email, accessOverride: 'granted', createdAt: at, updatedAt: at })
      return { id, email, cookie: cookieOf(ctx, id) }
    }),
  )

/** `alliance …` on the site's own machine. */
export function terminal(site: Site, argv: readonly string[]) {
  return Bun.spawn([process.execPath, '--no-env-file', 'dist/cli/main.js', ...argv], {
    cwd: root,
    env: { ...baseEnv, ...site.env, XDG_CONFIG_HOME: site.dataDir },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

export async function runTerminal(site: Site, argv: readonly string[]) {
  const from = performance.now()
  const child = terminal(site, argv)
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  return { code: await child.exited, out, err, ms: performance.now() - from }
}
