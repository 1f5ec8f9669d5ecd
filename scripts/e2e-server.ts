/** The built site with a data folder of its own, for the browser journeys: nothing of it is left when it ends. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const build = Bun.spawnSync([process.execPath, 'scripts/build.ts'], { stdio: ['ignore', 2, 2] })
if (build.exitCode !== 0) process.exit(build.exitCode)

const dataDir = mkdtempSync(join(tmpdir(), 'alliance-e2e-'))
// Nothing but what the journeys need: a developer's own keys, in .env or exported, must not reach this server.
const { PATH, HOME, PORT, SANDBOX_PORT, PUBLIC_URL } = process.env
const server = Bun.spawn([process.execPath, '--no-env-file', 'api/main.ts'], {
  stdio: ['ignore', 'inherit', 'inherit'],
  env: { PATH, HOME, PORT, SANDBOX_PORT, PUBLIC_URL, DATA_DIR: dataDir },
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => server.kill(signal))
const code = await server.exited
rmSync(dataDir, { recursive: true, force: true })
process.exit(code)
