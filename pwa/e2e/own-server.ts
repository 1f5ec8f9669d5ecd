import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const freePort = () =>
  new Promise<number>((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })

/** A server as `npm start` runs it, on a data folder of its own: for a journey that moves the clock, which all others share. */
export async function startOwnServer(): Promise<{ url: string; out: string; stop(): Promise<void> }> {
  const dataDir = mkdtempSync(join(tmpdir(), 'alliance-own-'))
  const [port, sandboxPort] = [await freePort(), await freePort()]
  const url = `http://localhost:${port}`
  const server = spawn(process.env.BUN ?? 'node_modules/.bin/bun', ['--no-env-file', 'dist/api/main.js'], {
    env: {
      ...{ PATH: process.env.PATH, DATA_DIR: dataDir, PUBLIC_URL: url, TRUSTED_PROXIES: '127.0.0.1' },
      ...{ PORT: String(port), SANDBOX_PORT: String(sandboxPort) },
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise((resolve) => server.once('close', resolve))
  let out = ''
  await new Promise<void>((resolve, reject) => {
    server.stdout.on('data', (bytes) => {
      out += bytes
      if (/^ready /m.test(out)) resolve()
    })
    ended.then(() => reject(new Error('The server did not start.')))
  })
  const stop = async () => {
    server.kill('SIGTERM')
    await ended
    rmSync(dataDir, { recursive: true, force: true })
  }
  return { url, out, stop }
}
