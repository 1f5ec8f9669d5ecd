import { spawn } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './free-port.ts'

export type OwnServer = {
  url: string
  out: string
  /** The environment of the server and of a terminal next to it. */
  env: Record<string, string>
  /** Stops it, does the work on its data folder, and starts it again: the program in `folder`, if that's another. */
  restart(meanwhile: () => Promise<unknown>, folder?: string): Promise<void>
  stop(): Promise<void>
}

/**
 * A server as `npm start` runs it, on its own data folder: for a journey that changes shared state, such as the clock, the texts
 * and the settings.
 */
export async function startOwnServer(more: Record<string, string> = {}): Promise<OwnServer> {
  const dataDir = mkdtempSync(join(tmpdir(), 'alliance-own-'))
  const [port, sandboxPort] = [await freePort(), await freePort()]
  const url = `http://localhost:${port}`
  const env = {
    PATH: process.env.PATH ?? '',
    DATA_DIR: dataDir,
    PUBLIC_URL: url,
    TRUSTED_PROXIES: '127.0.0.1',
    PORT: String(port),
    SANDBOX_PORT: String(sandboxPort),
    SANDBOX_PEOPLE: 'few',
    FFMPEG: 'off',
    ...more,
  }
  // What it's told may change what's there at first.
  const isUsual = Object.keys(more).every((name) => name === 'PUBLIC_URL')
  if (isUsual) cpSync(await filledFolder(env), dataDir, { recursive: true })
  let server = await startProgram(env)
  return {
    url,
    env,
    out: server.out,
    async restart(meanwhile, folder) {
      await server.stop()
      await meanwhile()
      server = await startProgram(env, folder)
    },
    async stop() {
      await server.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

let filled: Promise<string> | undefined

/** What a server leaves that was started once: to fill it takes longer than to copy it. */
async function filledFolder(env: Record<string, string>): Promise<string> {
  filled ??= (async () => {
    const folder = mkdtempSync(join(tmpdir(), 'alliance-filled-'))
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
    await (await startProgram({ ...env, DATA_DIR: folder })).stop()
    return folder
  })()
  return await filled
}

async function startProgram(env: Record<string, string>, cwd = '.'): Promise<{ out: string; stop(): Promise<void> }> {
  const server = spawn(process.env.BUN ?? 'node_modules/.bin/bun', ['--no-env-file', 'dist/api/main.js'], {
    cwd,
    env,
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
  }
  return { out, stop }
}
