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
    env: { PATH: process.env.PATH, DATA_DIR: dataDir, HOST: '127.0.0.1', PORT, SANDBOX_PORT, LOG_LEVEL: 'debug' },
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
