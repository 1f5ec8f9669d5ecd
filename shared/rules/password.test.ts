import { expect, test } from 'vitest'
import { isGuessable } from './password.ts'

const own = { brand: ['The Alliance', 'alliance', 'tradesmen'], email: 'sam.field@fieldworks.example' }

test.each([
  ...['Alliance2026!', 'TheAlliance1', 'alliance-alliance', 'Älliance99', 'myalliance', '123Tradesmen'],
  ...['sam.field@fieldworks.example', 'SamField2026', 'fieldworks1', 'field-sam-99', 'fieldworks.example!'],
])('V6.1.2 V6.2.11 the site’s words and the own address are guessed first: %s', (password) => {
  expect(isGuessable(password, own)).toBe(true)
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
