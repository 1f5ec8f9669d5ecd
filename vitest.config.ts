import { defineConfig } from 'vitest/config'

/** Browser journeys are Playwright's; they run against the built site. */
const exclude = ['node_modules/**', 'pwa/e2e/**', 'pwa/dist/**']
const setup = 'scripts/vitest-setup.ts'

/** Without a browser's window: these share their modules, so that each file need not load the whole API again. */
const server = {
  name: 'server',
  environment: 'node',
  include: ['{api,data,scripts,shared}/**/*.test.ts'],
  setupFiles: [setup],
  isolate: false,
  exclude,
}

const logic = {
  name: 'logic',
  environment: 'node',
  include: ['{cli,pwa}/**/*.test.ts', 'cli/**/*.test.tsx'],
  setupFiles: [setup],
  exclude,
}

const screens = {
  name: 'screens',
  environment: 'jsdom',
  include: ['pwa/**/*.test.tsx'],
  setupFiles: [setup, 'scripts/vitest-screens.ts'],
  exclude,
}

export default defineConfig({
  test: {
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: process.env.FULL ? 120_000 : 15_000,
    hookTimeout: 30_000,
    projects: [
      { extends: true, test: server },
      { extends: true, test: logic },
      { extends: true, test: screens },
    ],
  },
})
