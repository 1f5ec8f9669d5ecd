import { readdirSync, readFileSync } from 'node:fs'
import { defineConfig } from 'vitest/config'

/** Browser journeys are Playwright's; they run against the built site. */
const exclude = ['node_modules/**', 'pwa/e2e/**', 'pwa/dist/**']
const setup = 'scripts/vitest-setup.ts'

/** Parts alone, each file in a window of its own. */
const inWindow = ['pwa/**/*.test.tsx', 'api/features/blog/html-rules.test.ts']

/** Tests on the real API that make a window, and stay in it. */
const onApi = ['api', 'pwa'].flatMap((part) =>
  readdirSync(part, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => `${part}/${file}`)
    .filter((file) => readFileSync(file, 'utf8').includes('/testing/window.ts')),
)

/**
 * Its files share their modules, so that each need not load the whole API again. None may make a window: its globals would
 * stay for the files after it, and a PDF's fonts are no Uint8Array there. A file that leaves one fails.
 */
const server = {
  name: 'server',
  environment: 'node',
  include: ['{api,cli,data,pwa,scripts,shared}/**/*.test.ts', 'cli/**/*.test.tsx'],
  setupFiles: [setup, 'scripts/vitest-server.ts'],
  isolate: false,
  exclude: [...exclude, ...inWindow, ...onApi],
}

const pages = { ...server, name: 'pages', include: onApi, setupFiles: [setup, 'scripts/vitest-pages.ts'], exclude }

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
    testTimeout: process.env.FULL ? 120_000 : 60_000,
    hookTimeout: 60_000,
    /** Of the pipeline alone, as the browser's; what passed the second time is told. */
    retry: Number(process.env.UNIT_RETRIES ?? 0),
    projects: [
      { extends: true, test: server },
      { extends: true, test: pages },
      { extends: true, test: screens },
    ],
  },
})
