import { defineConfig } from 'vitest/config'

/** Browser journeys are Playwright's; they run against the built site. */
const exclude = ['node_modules/**', 'pwa/e2e/**', 'pwa/dist/**']
const setup = 'scripts/vitest-setup.ts'

const logic = {
  name: 'logic',
  environment: 'node',
  include: ['{api,cli,data,pwa,scripts,shared}/**/*.test.ts', 'cli/**/*.test.tsx'],
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
    /** Of the pipeline alone, as the browser's; what passed the second time is told. */
    retry: Number(process.env.UNIT_RETRIES ?? 0),
    projects: [
      { extends: true, test: logic },
      { extends: true, test: screens },
    ],
  },
})
