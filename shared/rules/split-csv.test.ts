import fc from 'fast-check'
import { expect, test } from 'vitest'
import { csvRow } from './csv.ts'
import { splitCsv } from './split-csv.ts'

function split(text: string, pieces: number, most: number): string[] {
  const splitter = splitCsv(most)
  const files: string[] = []
  for (let at = 0; at < text.length; at += pieces) files.push(...splitter.add(text.slice(at, at + pieces)))
  return [...files, ...splitter.end()]
}

const head = csvRow(['number', 'text'])

test('however it arrives, no row is lost, cut or doubled, and no file has too many', () => {
  const row = fc.tuple(fc.constantFrom('A', 'B', 'C'), fc.string({ maxLength: 6 }))
  const most = fc.integer({ min: 1, max: 4 })
  fc.assert(
    fc.property(fc.array(row), most, fc.integer({ min: 1, max: 9 }), (rows, most, pieces) => {
      const written = rows.map(csvRow)
      const files = split(head + written.join(''), pieces, most)
      expect(files.every((file) => file.startsWith(head))).toBe(true)
      expect(files.map((file) => file.slice(head.length)).join('')).toBe(written.join(''))
      expect(files).toHaveLength(Math.ceil(rows.length / most))
    }),
  )
})

test('a line break in quotes ends no row, and a head alone is no file', () => {
  const rows = [
    ['1', 'a\nb'],
    ['1', '"x"'],
    ['2', 'c'],
  ].map(csvRow)
  expect(split(head + rows.join(''), 5, 2)).toEqual([head + rows.slice(0, 2).join(''), head + rows.slice(2).join('')])
  expect(split(head, 5, 2)).toEqual([])
})
