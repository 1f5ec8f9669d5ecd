/** The built site with a data folder of its own, for the browser journeys: nothing of it is left when it ends. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const build = Bun.spawnSync([process.execPath, 'scripts/build.ts'], { stdio: ['ignore', 2, 2] })
if (build.exitCode !== 0) process.exit(build.exitCode)

const dataDir = mkdtempSync(join(tmpdir(), 'alliance-e2e-'))
const server = Bun.spawn([process.execPath, 'api/main.ts'], {
  stdio: ['ignore', 'inherit', 'inherit'],
  env: { ...process.env, DATA_DIR: dataDir },
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => server.kill(signal))
const code = await server.exited
rmSync(dataDir, { recursive: true, force: true })
process.exit(code)
