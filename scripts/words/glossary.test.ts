import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const inOneWord = (text: string) => text.toLowerCase().replace(/[^a-z]/g, '')

/** The first column of both tables, name by name. */
const names = readFileSync('docs/glossary.md', 'utf8')
  .split('\n')
  .map((line) => /^\| ([^|]+) \|/.exec(line)?.[1]?.trim() ?? '-')
  .filter((cell) => !/^(-+|Code|Word)$/.test(cell))
  .flatMap((cell) => cell.replaceAll('`', '').split(', '))

/** Each word of the code once, with a space between them. */
function wordsOfCode(): string {
  const files = execFileSync('git', ['ls-files', 'api', 'cli', 'shared', 'pwa'], { encoding: 'utf8' }).split('\n')
  const programs = files.filter((file) => /\.tsx?$/.test(file) && !/\.test\.|\/testing\/|^pwa\/e2e\//.test(file))
  const found = new Set<string>()
  for (const file of programs) {
    const code = readFileSync(file, 'utf8').replace(/\/\*[\s\S]*?\*\/|(?<!:)\/\/.*$/gm, '')
    for (const [word] of code.matchAll(/[A-Za-z_]\w*/g)) found.add(word)
  }
  return [...found].map(inOneWord).join(' ')
}

test('each name in the glossary’s code column is in the code', () => {
  const words = wordsOfCode()
  expect(names.length).toBeGreaterThan(80)
  expect(names.filter((name) => !words.includes(inOneWord(name)))).toEqual([])
})
