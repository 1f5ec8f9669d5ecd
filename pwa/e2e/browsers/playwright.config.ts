import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig } from '@playwright/test'
import type { Choice } from './fixtures.ts'

// The runner starts its workers with this program: Node, each in a network of its own.
process.env.NODE ??= process.execPath
process.execPath = fileURLToPath(new URL('../engines/own-network.sh', import.meta.url))

/** `FIREFOX=1/2` runs the first, third … of the files there, `2/2` the others. */
const [part = 1, parts = 1] = (process.env.FIREFOX ?? '1/1').split('/').map(Number)
const files = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.spec.ts'))
const drawn = files.toSorted().filter((_, at) => at % parts === part - 1)

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
    ...(engine === 'firefox' ? { testMatch: drawn.map((name) => `**/${name}`) } : {}),
    use: { engine },
  })),
})
