import { expect, test } from 'vitest'
import { escapeControlCharacters, toSafeLine } from './control-characters.ts'
import { toCsv } from './output.ts'

test('terminal escapes and control characters are stripped', () => {
  expect(toSafeLine('Sam \u001b[31mRed\u001b[0m')).toBe('Sam Red')
  expect(toSafeLine('\u001b]0;title\u0007Sam')).toBe('Sam')
  expect(toSafeLine('\u009b2JSam\u0000\u0007\u007f')).toBe('Sam')
  expect(toSafeLine('Sam\r\nField\tLtd\u2028now')).toBe('Sam Field Ltd now')
  expect(toSafeLine('Sam\u202eexe.cod')).toBe('Samexe.cod')
  expect(toSafeLine('Siân O’Brien & Söhne 🔧')).toBe('Siân O’Brien & Söhne 🔧')
})

test('JSON keeps its value, and cannot drive a terminal', () => {
  const value = { name: 'Sam\u001b[2J\u009b31m\u202e', line: 'one\ntwo' }
  const json = escapeControlCharacters(JSON.stringify(value, null, 2))
  expect(JSON.parse(json)).toEqual(value)
  expect(json).not.toMatch(/(?!\n)\p{Cc}|\p{Bidi_Control}/u)
})

test('CSV is RFC 4180, and no cell of it is a formula', () => {
  const cells = ['plain', 'a,b', 'say "hi"', 'two\nlines', '=1+1', '+44', '-2+3', '@cmd', '\ttab', '\u001b[1m=2']
  expect(toCsv({ head: ['one', 'two'], rows: [[null, true], [-5, 1.5], cells] })).toBe(
    ['one,two', ',true', '-5,1.5', `plain,"a,b","say ""hi""","two\nlines",'=1+1,'+44,'-2+3,'@cmd,'\ttab,'=2`, ''].join(
      '\r\n',
    ),
  )
})
