import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { startPaymentWorld } from './payments.ts'
import { startWorld, type World } from './world.ts'

/** A world whose webhooks go to its restored backup once there is one. It ends with the test. */
export async function startBackedUp() {
  const folder = mkdtempSync(join(tmpdir(), 'alliance-restored-'))
  const file = join(folder, 'backup.sqlite')
  let live: World | undefined
  const world = await startPaymentWorld({ onWebhook: async (request) => live?.handle(request) ?? new Response() })
  live = world
  onTestFinished(async () => {
    await world.stop()
    rmSync(folder, { recursive: true })
  })
  return {
    world,
    backUp: () => world.ctx.sqlite.exec(`vacuum into '${file}'`),
    restore() {
      const restored = startWorld({ file, sandboxPort: world.sandbox.port, startsAt: world.ctx.now() })
      live = restored
      onTestFinished(() => void restored.ctx.sqlite.close())
      return restored
    },
  }
}
