import { defineConfig } from 'vitest/config'

/** Browser journeys are Playwright's; they run against the built site. */
const exclude = ['node_modules/**', 'pwa/e2e/**', 'pwa/dist/**']
const setup = 'scripts/vitest-setup.ts'
const inWindow = ['pwa/**/*.test.tsx', 'api/features/blog/clean-html.test.ts']

/**
 * These share their modules, so that each file need not load the whole API again. None of them may ask for a window
 * (`@vitest-environment`): its globals would stay for the files after it, and a PDF's fonts are no Uint8Array there.
 */
const server = {
  name: 'server',
  environment: 'node',
  include: ['{api,data,scripts,shared}/**/*.test.ts'],
  setupFiles: [setup],
  isolate: false,
  exclude: [...exclude, ...inWindow],
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
  include: inWindow,
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
      { extends: true, test: server },
      { extends: true, test: logic },
      { extends: true, test: screens },
    ],
  },
})
