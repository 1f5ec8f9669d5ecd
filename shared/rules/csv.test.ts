import { expect, test } from 'vitest'
import { csvRow } from './csv.ts'

test.each(['=', '+', '-', '@', '＝', '＋', '－', '＠', '\t'])(
  'a cell that begins with %j is text to a spreadsheet',
  (sign) => {
    expect(csvRow([`${sign}cmd`, `a${sign}`, -5])).toBe(`'${sign}cmd,a${sign},-5\r\n`)
  },
)

test('a cell with a separator of either kind, a quote or a line break is quoted', () => {
  expect(csvRow(['a;b', 'a,b', 'a"b', 'a\nb', ';=cmd', 'ab'])).toBe('"a;b","a,b","a""b","a\nb",";=cmd",ab\r\n')
})
