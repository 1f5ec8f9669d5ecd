import { expect, test } from 'vitest'
import { csvPieces, jsonPieces } from './account-archive.ts'

const row = { text: 'a', count: 0, isOn: false, list: [1], none: null, gone: undefined }

test('a table is CSV with its columns first, and what is no cell is written as JSON', () => {
  expect([...csvPieces([row, { ...row, text: 'b, c' }])].join('')).toBe(
    '\ufefftext,count,isOn,list,none,gone\r\na,0,false,[1],,\r\n"b, c",0,false,[1],,\r\n',
  )
  expect([...csvPieces([])].join('')).toBe('\ufeff\r\n')
})

test('all tables are one JSON document, whatever their number and length', () => {
  const jsonOf = (...lengths: number[]) => {
    const tables = lengths.map((length, at) => ({ name: `t${at}`, rows: Array.from({ length }, (_, id) => ({ id })) }))
    const text = [...jsonPieces(tables.map(({ name, rows }) => ({ name, read: () => rows })))].join('')
    expect(JSON.parse(text)).toEqual(Object.fromEntries(tables.map(({ name, rows }) => [name, rows])))
    return text
  }
  expect([jsonOf(), jsonOf(0)]).toEqual(['{}\n', '{\n  "t0": []\n}\n'])
  jsonOf(1, 0, 500, 501, 1_000)
})

test('rows are read and written 500 at a time', () => {
  const pieces = (length: number) => [...csvPieces(Array.from({ length }, () => row))].length - 1
  expect([pieces(0), pieces(500), pieces(501), pieces(1_000)]).toEqual([0, 1, 2, 2])
})
