import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Glob } from 'bun'
import { expect, test } from 'vitest'
import { listedIds, namedIds, titlesIn } from './requirements.ts'

const root = join(import.meta.dirname, '..')
const requirements = readFileSync(join(root, 'docs/requirements.md'), 'utf8')
const listed = listedIds(requirements)
const areas = new Set([...listed].map((id) => id.split('-')[0] ?? ''))

const sources = [...new Glob('{api,cli,data,pwa,scripts,shared}/**/*.{test,spec}.{ts,tsx}').scanSync({ cwd: root })]
  .filter((file) => !file.startsWith('scripts/requirements'))
  .map((file) => ({ file, source: readFileSync(join(root, file), 'utf8') }))

test('every ID that a test names is in docs/requirements.md', () => {
  const named = sources.flatMap(({ file, source }) => namedIds(source, areas).map((id) => ({ id, file })))
  const proven = new Set(named.map(({ id }) => id).filter((id) => listed.has(id)))
  console.log(`${proven.size} of ${listed.size} requirements are named by a test`)
  expect(named.filter(({ id }) => !listed.has(id))).toEqual([])
})

test('every row of docs/asvs.md is named by a test', () => {
  const rows = [...readFileSync(join(root, 'docs/asvs.md'), 'utf8').matchAll(/^\| (V\d+\.\d+\.\d+) /gm)]
  const named = new Set(
    sources
      .flatMap(({ source }) => titlesIn(source))
      .join(' ')
      .match(/\bV\d+\.\d+\.\d+\b/g),
  )
  expect(rows.length).toBeGreaterThan(0)
  expect(rows.map(([, id = '']) => id).filter((id) => !named.has(id))).toEqual([])
})

test('every line is whole, as it was agreed', () => {
  const lines = [...requirements.matchAll(/^- \*\*([A-Z]+-\d+)\*\* (.*)$/gm)]
  const hashes = lines.map(
    ([, id, text = '']) => `${id} ${createHash('sha256').update(text).digest('hex').slice(0, 16)}`,
  )
  expect(hashes.length).toBe(614)
  expect(hashes.sort()).toEqual(readFileSync(join(root, 'docs/requirements.sha256'), 'utf8').trim().split('\n').sort())
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
