import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { builtProgram } from './testing/built-program.ts'
import { freePorts } from './testing/free-ports.ts'

test('a site whose log is on a full disk goes on without it', { tags: ['full'] }, async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'alliance-log-'))
  const [PORT = '', SANDBOX_PORT = ''] = freePorts(2)
  const log = openSync('/dev/full', 'w')
  const server = Bun.spawn([process.execPath, '--no-env-file', builtProgram('api/main')], {
    env: {
      PATH: process.env.PATH,
      DATA_DIR: dataDir,
      HOST: '127.0.0.1',
      PORT,
      SANDBOX_PORT,
      SANDBOX_PEOPLE: 'few',
      LOG_LEVEL: 'debug',
    },
    stdio: ['ignore', 'pipe', log],
  })
  try {
    let out = ''
    const decoder = new TextDecoder()
    for await (const bytes of server.stdout) {
      out += decoder.decode(bytes)
      if (out.includes('ready')) break
    }
    // Each is a line of the log. The first one's error comes after its answer.
    for (let request = 0; request < 3; request += 1)
      expect((await fetch(`http://127.0.0.1:${PORT}/ready`)).status).toBe(200)
    expect(server.exitCode).toBeNull()
  } finally {
    server.kill('SIGKILL')
    await server.exited
    closeSync(log)
    rmSync(dataDir, { recursive: true })
  }
})

test.each(['> /dev/full', '> >(exec true)', '>&-'])(
  'a server whose output goes %s starts and serves',
  {
    tags: ['full'],
  },
  async (output) => {
    const dataDir = mkdtempSync(join(tmpdir(), 'alliance-output-'))
    const [PORT = '', SANDBOX_PORT = ''] = freePorts(2)
    const command = `exec "$0" --no-env-file "$1" ${output}`
    const server = Bun.spawn(['bash', '-c', command, process.execPath, builtProgram('api/main')], {
      env: { PATH: process.env.PATH, DATA_DIR: dataDir, HOST: '127.0.0.1', PORT, SANDBOX_PORT, SANDBOX_PEOPLE: 'few' },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    const isReady = () =>
      fetch(`http://127.0.0.1:${PORT}/ready`)
        .then(({ ok }) => ok)
        .catch(() => false)
    try {
      await expect.poll(async () => server.exitCode !== null || (await isReady()), { timeout: 10_000 }).toBe(true)
      server.kill('SIGTERM')
      expect(await server.exited).toBe(0)
      expect(await new Response(server.stderr).text()).not.toMatch(/didn’t start|ENOSPC|EPIPE/)
    } finally {
      server.kill('SIGKILL')
      rmSync(dataDir, { recursive: true })
    }
  },
)
