import { expect, test } from 'vitest'
import { isGuessable } from './password.ts'

const own = { brand: ['The Alliance', 'alliance', 'tradesmen'], email: 'sam.field@fieldworks.example' }

test.each([
  ...['Alliance2026!', 'TheAlliance1', 'alliance-alliance', 'Älliance99', 'myalliance', '123Tradesmen'],
  ...['sam.field@fieldworks.example', 'SamField2026', 'fieldworks1', 'field-sam-99', 'fieldworks.example!'],
])('V6.1.2 V6.2.11 the site’s words and the own address are guessed first: %s', (password) => {
  expect(isGuessable(password, own)).toBe(true)
})

const numbered = { ...own, email: '07700900123@mail.test' }

test.each(['07700900123', '07700 900 123', '07700900123!!', '07700900123-2026', '0770090012307700900123', 'Mail-2026'])(
  'V6.1.2 V6.2.11 so is an address of digits: %s',
  (password) => expect(isGuessable(password, numbered)).toBe(true),
)

test.each(['07700900124', '07700900123-horse', '4829 1775 2210', 'tape-and-level-42'])(
  'with an address of digits, what has enough besides passes: %s',
  (password) => expect(isGuessable(password, numbered)).toBe(false),
)

test('an address of a few digits spoils no password that has them among others', () => {
  expect(isGuessable('4829 1775 2210', { ...own, email: '482@mail.test' })).toBe(false)
})

test.each([
  'a-van-that-starts-42',
  'tape-and-level-42',
  'alliance of plumbers',
  'samovar kettle',
  '4829 1775 2210',
  'zzfield-ladder',
])('what has enough besides passes: %s', (password) => {
  expect(isGuessable(password, own)).toBe(false)
})
