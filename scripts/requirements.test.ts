import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Glob } from 'bun'
import { expect, test } from 'vitest'
import { listedIds, namedIds } from './requirements.ts'

const root = join(import.meta.dirname, '..')
const listed = listedIds(readFileSync(join(root, 'docs/requirements.md'), 'utf8'))
const areas = new Set([...listed].map((id) => id.split('-')[0] ?? ''))

test('every ID that a test names is in docs/requirements.md', () => {
  const files = [...new Glob('{api,cli,data,pwa,scripts,shared}/**/*.{test,spec}.{ts,tsx}').scanSync({ cwd: root })]
  const named = files
    .filter((file) => !file.startsWith('scripts/requirements'))
    .flatMap((file) => namedIds(readFileSync(join(root, file), 'utf8'), areas).map((id) => ({ id, file })))
  const proven = new Set(named.map(({ id }) => id).filter((id) => listed.has(id)))
  console.log(`${proven.size} of ${listed.size} requirements are named by a test`)
  expect(named.filter(({ id }) => !listed.has(id))).toEqual([])
})

test('the list is whole', () => {
  expect(listed.size).toBe(614)
})

test('IDs are read from titles alone, however the test is written', () => {
  const source = `
    // JOIN-01
    test('JOIN-05 resumes, TIER-02 too', () => expect('JOIN-06').toBe(1))
    test.each([['a', 1]])("JOIN-07 %s", () => {})
    test.each(tiers)(\`JOIN-08 \${x}\`, () => {})
    describe('it\\'s JOIN-99 and SHA-256', () => {})
  `
  expect(namedIds(source, areas)).toEqual(['JOIN-05', 'TIER-02', 'JOIN-07', 'JOIN-08', 'JOIN-99'])
})
