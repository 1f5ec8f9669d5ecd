import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { Email } from './fields.ts'

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
