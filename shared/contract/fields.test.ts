import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { Email, OptionalLine, OptionalText, RequiredLine, RequiredText, Text } from './fields.ts'

describe('an email address', () => {
  test.each(['a@example.com', 'sam.field@example.co.uk', '  SAM@Example.com ', "o'brien+jobs@a-b.example"])(
    'EMSG-44 %s is one, in lower case',
    (typed) => expect(v.parse(Email, typed)).toBe(typed.trim().toLowerCase()),
  )

  test.each([
    '\u200Bsam@example.com\u200B',
    '\u202Asam@example.com\u202C',
    '\u2068sam@exam\u00ADple.com\u2069',
    '\uFEFFsam@\u200Eexample.com',
  ])('marks that nobody sees go from %j', (pasted) => expect(v.parse(Email, pasted)).toBe('sam@example.com'))

  test.each([
    '',
    'sam',
    'sam@',
    '@example.com',
    'sam@example',
    '.sam@example.com',
    'sam.@example.com',
    'a@b@example.com',
  ])('EMSG-44 %j is none', (typed) =>
    expect(v.safeParse(Email, typed).issues?.[0].message).toBe('Please enter a valid email address'),
  )
})

test('marks that nobody sees go from a name, and stay in a text of many lines', () => {
  expect(v.parse(RequiredLine('First name'), '\u200BŁu\u200Bka\u00ADsz\uFEFF')).toBe('Łukasz')
  expect(v.parse(OptionalLine(100), 'Sm\u2060ith ')).toBe('Smith')
  expect(v.parse(OptionalLine(100), '\u200B')).toBeNull()
  expect(v.safeParse(RequiredLine('First name'), '\u200B').issues?.[0].message).toBe('First name is required')
  // What joins an emoji, or the letters of other scripts.
  expect(v.parse(RequiredLine('First name'), '👷\u200D♀️')).toBe('👷\u200D♀️')
})

describe('a carriage return', () => {
  test.each([Text(16), RequiredText('Notes', 16), OptionalText(16)])('is a line end like any other', (schema) =>
    expect(v.parse(schema, 'Bricks\r\nSand\rLime')).toBe('Bricks\nSand\nLime'),
  )

  test('has no place where there is one line', () =>
    expect(v.safeParse(RequiredLine('Title'), 'Bench\rCo').issues?.[0].message).toBe('Write this on one line.'))
})

describe('a tab, as it comes with what is pasted from Word', () => {
  const pasted = 'Bricks\t£40\nSand\t£12'

  test.each([Text(100), RequiredText('Notes', 100), OptionalText(100)])('stays in a text of many lines', (schema) =>
    expect(v.parse(schema, pasted)).toBe(pasted),
  )

  test('is a space where there is one line', () =>
    expect(v.parse(RequiredLine('Title'), 'Bricks\t and sand\t')).toBe('Bricks  and sand'))

  test.each(['\u0000', '\u0008', '\u000b', '\u000c', '\u001b', '\u007f', '\u0085'])('%j is still refused', (hidden) =>
    expect(v.safeParse(Text(100), `Bri${hidden}cks`).issues?.[0].message).toBe('Remove the hidden characters.'),
  )
})
