import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from '@playwright/test'
import type { Choice } from './pwa/e2e/browsers/fixtures.ts'
import { freePort } from './pwa/e2e/free-port.ts'
import { browserPackages, missingPackages } from './scripts/browser-packages.ts'
import { findChromium, findQuickChromium } from './scripts/chromium.ts'

/** A free port. The runner's workers read this file too and must get the same port, so it is stored in the environment. */
async function sharedPort(name: string): Promise<string> {
  process.env[name] ??= String(await freePort())
  return process.env[name]
}

const port = await sharedPort('E2E_PORT')
const sandboxPort = await sharedPort('E2E_SANDBOX_PORT')
const baseURL = `http://localhost:${port}`
// The journeys read the data folder too.
process.env.E2E_DATA_DIR ??= join(tmpdir(), `alliance-e2e-${port}`)
// In front of the server, where what some promised browser lacks is taken out of the one that asks.
const isOld = Boolean(process.env.OLD)
const serverPort = isOld ? await sharedPort('E2E_SERVER_PORT') : port
const isFull = process.env.FULL !== undefined
const executablePath = findQuickChromium()
process.env.E2E_WHOLE_CHROMIUM ??= findChromium() ?? ''
process.env.E2E_WEBKIT ??= missingPackages(browserPackages.webkit).length === 0 ? 'installed' : ''
const browserArguments = [
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Emulating a graphics card costs more than painting without one.
  '--disable-gpu',
]

export default defineConfig<Choice>({
  testDir: 'pwa/e2e',
  projects: [
    // The longest of all, so it begins first. The rest of its folder has a runner of its own, `npm run browsers`, as has the full run.
    ...(process.env.E2E_WEBKIT && !isFull ? [{ name: 'webkit', testMatch: 'browsers/short-journey.spec.ts' }] : []),
    { name: 'chromium', testMatch: '**/*.{spec,test}.ts', testIgnore: 'browsers/**' },
    ...(isOld ? [{ name: 'old', testMatch: 'browsers/*.spec.ts', use: { engine: 'chromium' as const } }] : []),
  ],
  ...(isOld ? { globalSetup: './pwa/e2e/old-front.ts' } : {}),
  outputDir: 'test-results',
  fullyParallel: true,
  /** One more than the cores that are counted on: a worker waits for the network now and then. */
  workers: 3,
  forbidOnly: true,
  // These only end what hangs: on a machine that does other work beside, a page takes ten times as long.
  timeout: 600_000,
  expect: { timeout: 60_000 },
  use: {
    baseURL,
    locale: 'en-GB',
    timezoneId: 'Europe/London',
    // Caching the whole app costs each new visitor a tenth of the time. Journeys without signal allow the service worker
    // themselves; the full run allows it everywhere.
    serviceWorkers: isFull ? 'allow' : 'block',
    actionTimeout: 60_000,
    navigationTimeout: 60_000,
    // A trace costs a third of the time, and each failure has a screenshot and the page's outline anyway. With TRACE=1 one
    // that fails is looked at step by step.
    trace: process.env.TRACE ? 'retain-on-failure' : 'off',
    screenshot: 'only-on-failure',
    launchOptions: {
      ...(executablePath ? { executablePath } : {}),
      args: process.getuid?.() === 0 ? ['--no-sandbox', ...browserArguments] : browserArguments,
    },
  },
  webServer: {
    command: `${process.env.BUN ?? 'node_modules/.bin/bun'} scripts/e2e-server.ts`,
    url: `http://localhost:${serverPort}/api/membership-tiers`,
    reuseExistingServer: false,
    timeout: 120_000,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 15_000 },
    stdout: 'ignore',
    stderr: 'pipe',
    env: { PORT: serverPort, SANDBOX_PORT: sandboxPort, PUBLIC_URL: baseURL, DATA_DIR: process.env.E2E_DATA_DIR },
  },
})
