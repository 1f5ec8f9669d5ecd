import { fileURLToPath } from 'node:url'
import { defineConfig } from '@playwright/test'
import type { Choice } from './fixtures.ts'

// The runner starts its workers with this program: Node, each in a network of its own.
process.env.NODE ??= process.execPath
process.execPath = fileURLToPath(new URL('../engines/own-network.sh', import.meta.url))

export default defineConfig<Choice>({
  testDir: '.',
  outputDir: '../../../test-results/browsers',
  fullyParallel: true,
  // A case waits half of its time, for the other side or for a moment.
  workers: 3,
  forbidOnly: true,
  // It only ends what hangs.
  timeout: 300_000,
  projects: (['webkit', 'firefox', 'chromium'] as const).map((engine) => ({
    name: engine,
    grepInvert: new RegExp(`@not-in-${engine}`),
    use: { engine },
  })),
})
