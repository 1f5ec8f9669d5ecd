import { readdirSync, readFileSync } from 'node:fs'
import { defineConfig } from 'vitest/config'
import LongestFirst from './scripts/vitest-sequencer.ts'

/** The browser journeys are run by Playwright against the built site. */
const { leftOut, asEveryDay } = draw(process.env.FULL_FILES)
const exclude = ['node_modules/**', 'pwa/e2e/**', 'pwa/dist/**', ...leftOut]
const setup = 'scripts/vitest-setup.ts'

/**
 * `1/4` draws the first, fifth, ninth … of the files with tests of the full run. Undrawn files that have no other tests are left
 * out, and the rest run as every day.
 */
function draw(drawn: string | undefined): { leftOut: string[]; asEveryDay: string[] } {
  if (drawn === undefined) return { leftOut: [], asEveryDay: [] }
  const [part = 1, parts = 1] = drawn.split('/').map(Number)
  const files = ['api', 'cli', 'data', 'pwa', 'scripts', 'shared'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.test\.tsx?$/.test(file))
      .map((file) => `${folder}/${file}`),
  )
  const texts = new Map(files.map((file) => [file, readFileSync(file, 'utf8')]))
  const isWhole = (file: string) => /^\/\/ @module-tag full$/m.test(texts.get(file) ?? '')
  const hasWider = (file: string) =>
    /tags: \['full'\]|process\.env\.FULL|testing\/seeds\.ts'/.test(texts.get(file) ?? '')
  const undrawn = files
    .filter((file) => isWhole(file) || hasWider(file))
    .sort()
    .filter((_, at) => at % parts !== part - 1)
  return {
    // No full run is without Litestream: it's a program of others.
    leftOut: undrawn.filter((file) => isWhole(file) && file !== 'cli/takeover.test.ts'),
    asEveryDay: undrawn.filter((file) => !isWhole(file)),
  }
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
    env: { UNDRAWN_FILES: asEveryDay.join(' ') },
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
