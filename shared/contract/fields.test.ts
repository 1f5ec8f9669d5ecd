import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { Email, OptionalText, RequiredLine, RequiredText, Text } from './fields.ts'

describe('an email address', () => {
  test.each(['a@example.com', 'sam.field@example.co.uk', '  SAM@Example.com ', "o'brien+jobs@a-b.example"])(
    'EMSG-44 %s is one, in lower case',
    (typed) => expect(v.parse(Email, typed)).toBe(typed.trim().toLowerCase()),
  )

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
