import { expect, test } from 'vitest'
import { excepted, legal } from './exceptions.ts'
import { readWords } from './extract.ts'
import { contracted, countIn, longSentences, phrases, writtenOut } from './phrases.ts'

const words = readWords()
const ours = words.filter(({ text }) => !excepted.some(({ texts }) => texts.some((part) => text.includes(part))))
const spoken = ours.filter(({ path }) => !legal.some((part) => path.startsWith(part))).map(({ text }) => text)

test('the product’s words are read whole', () => {
  expect(words.length).toBeGreaterThan(6_000)
  for (const place of [
    'api/mail',
    'pwa/features/members',
    'cli/commands',
    'data/content',
    'shared/rules',
    'shared/values',
  ])
    expect(
      words.some(({ path }) => path.startsWith(place)),
      place,
    ).toBe(true)
})

test.each(phrases)('no one reads “$name”: say “$say”', ({ pattern, atMost }) => {
  const found = ours.filter(({ text }) => pattern.test(text)).map(({ path, line, text }) => `${path}:${line} ${text}`)
  expect(found.length, found.join('\n')).toBeLessThanOrEqual(atMost)
})

test('three quarters of what can be contracted is, outside law', () => {
  const [short, long] = [countIn(spoken, contracted), countIn(spoken, writtenOut)]
  expect(short / (short + long), `${short} contracted, ${long} written out`).toBeGreaterThanOrEqual(0.75)
})

test('a sentence over 25 words is rare', () => {
  const long = longSentences(spoken)
  expect(long.length, long.join('\n')).toBeLessThanOrEqual(60)
})

test('each exception is needed', () => {
  const texts = words.map(({ text }) => text)
  const idle = excepted.flatMap((one) => one.texts).filter((part) => !texts.some((text) => text.includes(part)))
  expect(idle).toEqual([])
})
