/** `bun run dev`: the site at PORT reloads on every change, and the API behind it restarts. */
import { fileURLToPath } from 'node:url'
import { createServer } from 'vite'

const port = Number(process.env.PORT ?? 3000)
const apiPort = port + 2
const api = `http://127.0.0.1:${apiPort}`
const root = fileURLToPath(new URL('..', import.meta.url))

const server = Bun.spawn([process.execPath, '--watch', '--no-clear-screen', 'api/main.ts'], {
  cwd: root,
  stdio: ['ignore', 'inherit', 'inherit'],
  env: {
    ...process.env,
    PORT: String(apiPort),
    SANDBOX_PORT: process.env.SANDBOX_PORT ?? String(port + 1),
    // Browsers send requests to the page's own address, and the API rejects other origins.
    PUBLIC_URL: process.env.PUBLIC_URL ?? `http://localhost:${port}`,
  },
})

/** What the server makes or stores. Vite serves the rest. */
const fromServer = [
  '/api',
  '/sandbox',
  '/media',
  '/photographs',
  '/icons',
  '/pictures',
  '/social',
  '/favicon.ico',
].concat('/manifest.webmanifest')

const site = await createServer({
  configFile: `${root}scripts/build/vite.config.ts`,
  server: { port, strictPort: true, proxy: Object.fromEntries(fromServer.map((path) => [path, api])) },
})
await site.listen()
site.printUrls()

let isStopping = false
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    isStopping = true
    server.kill(signal)
  })
}
const code = await server.exited
await site.close()
process.exit(isStopping ? 0 : code)
