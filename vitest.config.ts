import { readdirSync, readFileSync } from 'node:fs'
import { defineConfig } from 'vitest/config'
import LongestFirst from './scripts/vitest-sequencer.ts'

/** The browser journeys are run by Playwright against the built site. */
const exclude = ['node_modules/**', 'pwa/e2e/**', 'pwa/dist/**', ...leftOut(process.env.FULL_FILES)]
const setup = 'scripts/vitest-setup.ts'

/** All but the drawn ones of the files that only the full run has. `1/2` draws the first, third, fifth … */
function leftOut(drawn: string | undefined): string[] {
  if (drawn === undefined) return []
  const [part = 1, parts = 1] = drawn.split('/').map(Number)
  const whole = ['api', 'cli', 'data', 'pwa', 'scripts', 'shared'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.test\.tsx?$/.test(file))
      .map((file) => `${folder}/${file}`)
      .filter((file) => readFileSync(file, 'utf8').startsWith('// @module-tag full')),
  )
  return whole.sort().filter((_, at) => at % parts !== part - 1)
}

/** Components alone. */
const screenTests = ['pwa/**/*.test.tsx', 'api/features/site/blog/html-rules.test.ts']

/** Tests on the real API that make a window, which they leave behind for the next file. */
const pageTests = ['api', 'pwa'].flatMap((part) =>
  readdirSync(part, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => `${part}/${file}`)
    .filter((file) => readFileSync(file, 'utf8').includes('/testing/window.ts')),
)

/**
 * These files share their modules, so that each need not load the whole API again. None may make a window: its globals would
 * stay for the files after it, where for instance a PDF's fonts are no Uint8Array. A file that leaves one behind fails.
 */
const server = {
  name: 'server',
  environment: 'node',
  include: ['{api,cli,data,pwa,scripts,shared}/**/*.test.ts', 'cli/**/*.test.tsx'],
  setupFiles: [setup, 'scripts/vitest-server.ts'],
  isolate: false,
  exclude: [...exclude, ...screenTests, ...pageTests],
}

const pages = { ...server, name: 'pages', include: pageTests, setupFiles: [setup, 'scripts/vitest-pages.ts'], exclude }

const screens = {
  ...server,
  name: 'screens',
  include: screenTests,
  setupFiles: [setup, 'scripts/vitest-screens.ts'],
  exclude,
}

export default defineConfig({
  test: {
    pool: 'forks',
    /**
     * As many as the cores that are counted on. More of them only take turns, and load the API once more each. Tests of the full run
     * often wait: for a deadline, or for a program that they started.
     */
    maxWorkers: process.env.FULL ? 3 : 2,
    tags: [
      {
        name: 'full',
        description: 'Extremes, kills and many seeds: only the full run, or naming the file, runs them.',
        timeout: (10 + Number(process.env.SEED_MINUTES ?? 0)) * 60_000,
      },
    ],
    /** These only end what hangs: beside eight programs that want both cores, a test takes ten times as long. */
    testTimeout: 180_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    sequence: { sequencer: LongestFirst },
    projects: [
      { extends: true, test: server },
      { extends: true, test: pages },
      { extends: true, test: screens },
    ],
  },
})
