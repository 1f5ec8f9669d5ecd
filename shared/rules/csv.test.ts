import { expect, test } from 'vitest'
import { csvRow } from './csv.ts'
import { formatPoundsAndPence } from './money.ts'

test.each(['=', '+', '-', '@', '＝', '＋', '－', '＠', '\t'])(
  'a cell that begins with %j is text to a spreadsheet',
  (sign) => {
    expect(csvRow([`${sign}cmd`, `a${sign}`, -5])).toBe(`'${sign}cmd,a${sign},-5\r\n`)
  },
)

test('a cell with a separator of either kind, a quote or a line break is quoted', () => {
  expect(csvRow(['a;b', 'a,b', 'a"b', 'a\nb', ';=cmd', 'ab'])).toBe('"a;b","a,b","a""b","a\nb",";=cmd",ab\r\n')
})

test('a negative amount is a number to a spreadsheet; what only begins like one is text', () => {
  const cells = [formatPoundsAndPence(-15_000), '-£1,150', '-5', '-£1+cmd', '\u2212£5 owed back', '-cmd', '+447700900']
  expect(csvRow(cells)).toBe(`-£150.00,"-£1,150",-5,'-£1+cmd,\u2212£5 owed back,'-cmd,'+447700900\r\n`)
})
