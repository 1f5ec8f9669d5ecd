/**
 * `npm run mutants -- FILE…`, files of shared/rules or shared/values: would the tests notice a fault? Stryker puts one at a time into
 * a copy of the repository, and runs the tests in `shared` that import the file, or all of them.
 */
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { Stryker } from '@stryker-mutator/core'
import { Glob } from 'bun'

const vitest = 'node_modules/bun/bin/bun.exe --bun node_modules/.bin/vitest run --bail 1'
const tests = [...new Glob('shared/**/*.test.ts').scanSync()]

for (const path of process.argv.slice(2)) {
  const covering = tests.filter((test) => readFileSync(test, 'utf8').includes(`/${basename(path)}'`))
  await new Stryker({
    mutate: [path],
    testRunner: 'command',
    commandRunner: { command: [vitest, ...(covering.length > 0 ? covering : ['shared'])].join(' ') },
    mutator: { excludedMutations: ['StringLiteral'] },
    tempDirName: 'dist/mutants',
    ignorePatterns: ['/dist', '/pwa/dist', '/data/local'],
    // It's rewritten by a call that TypeScript 7 no longer has.
    tsconfigFile: 'none',
    reporters: ['clear-text'],
    clearTextReporter: { allowColor: false, allowEmojis: false, logTests: false },
  }).runMutationTest()
}
