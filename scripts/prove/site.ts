import { openSync } from 'node:fs'
import { baseEnv, productEnv, root, startServer } from '../bench/programs.ts'

export type Site = Awaited<ReturnType<typeof openSite>>

/** The bundled server as its own process on a data folder. It keeps its ports over a kill, because webhooks go to them. */
export async function openSite(dataDir: string, more: Record<string, string> = {}) {
  // Each client has an address of its own, so none uses up another's limits.
  const env = { ...(await productEnv(dataDir)), FFMPEG: 'off', TRUSTED_PROXIES: '127.0.0.1', ...more }
  const log = openSync(`${dataDir}.log`, 'a')
  const run = () => startServer(['dist/api/main.js'], { env, log })
  let running = await run()
  return {
    dataDir,
    env,
    url: `http://127.0.0.1:${env.PORT}`,
    providerUrl: `http://127.0.0.1:${env.SANDBOX_PORT}`,
    pid: () => running.pid,
    ending: () => running.ending(),
    start: async () => {
      running = await run()
    },
    kill: () => running.kill(),
    stop: () => running.stop(),
  }
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
      'x-forwarded-for': `10.${below(250)}.${below(250)}.${below(250)}`,
      ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      ...(cookie === undefined ? {} : { cookie }),
      ...headers,
    },
    ...(body === undefined ? {} : { body }),
    signal: AbortSignal.timeout(30_000),
  })
}

export const below = (most: number): number => Math.floor(Math.random() * most)
export const any = <Item>(items: readonly Item[]) => items[below(items.length)] as Item

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
