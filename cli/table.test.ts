import { expect, test } from 'vitest'
import { type Column, layOutTable, tableText } from './table.ts'

type Row = { name: string; email: string; count: number }
const columns: Column<Row>[] = [
  { title: 'NAME', text: ({ name }) => name, minWidth: 8 },
  { title: 'EMAIL', text: ({ email }) => email, minWidth: 8, dropOrder: 1 },
  { title: 'COUNT', text: ({ count }) => String(count), align: 'right' },
]
const rows: Row[] = [
  { name: 'Sam Field', email: 'sam@alliance.test', count: 7 },
  { name: '田中 Wiremu Te Whiu', email: 'w@alliance.test', count: 120 },
]
const lines = (width?: number) =>
  layOutTable(columns, rows, width === undefined ? {} : { width }).rows.map((row) =>
    row.map(({ text }) => text).join('  '),
  )

test('columns align, and wide characters count as wide', () => {
  expect(tableText(columns, rows)).toBe(
    [
      'NAME                 EMAIL              COUNT',
      'Sam Field            sam@alliance.test      7',
      '田中 Wiremu Te Whiu  w@alliance.test      120',
      '',
    ].join('\n'),
  )
})

test('in a narrow terminal columns shrink, then are dropped, and no line is wider than it', () => {
  for (const width of [45, 40, 32, 25, 20, 15]) {
    for (const line of lines(width)) expect(Bun.stringWidth(line)).toBeLessThanOrEqual(width)
  }
  expect(lines(32)).toEqual(['Sam Field    sam@allianc…      7', '田中 Wirem…  w@alliance.…    120'])
  expect(lines(16)).toEqual(['Sam Field      7', '田中 Wir…    120'])
})

test('what identifies a row is never cut: everything else shrinks and goes, and it goes on in its next line', () => {
  const kept = columns.map((column) => (column.title === 'EMAIL' ? { ...column, identifies: true as const } : column))
  const widths = (width: number) => layOutTable(kept, rows, { width }).rows[0]?.map(({ text }) => text.trimEnd())
  expect(widths(34)).toEqual(['Sam Fie…', 'sam@alliance.test', '    7'])
  expect(layOutTable(kept, rows, { width: 16 }).titles.join(' ')).not.toContain('EMAIL')
  const alone = kept.filter(({ title }) => title !== 'NAME').map(({ dropOrder: _, ...column }) => column)
  expect(layOutTable(alone, rows, { width: 20 })).toMatchObject({ titles: ['EMAIL            '], dropped: ['COUNT'] })
  const narrow = layOutTable(alone, rows, { width: 12 })
  expect(narrow).toMatchObject({ width: 12, rows: [[{ text: 'sam@alliance.test' }], [{ text: 'w@alliance.test' }]] })
})

test('what is too wide when all have shrunk goes as a whole, words before figures, and is named', () => {
  const paid: Column<Row>[] = [
    { title: 'NAME', text: ({ name }) => name, minWidth: 8 },
    { title: 'WHEN', text: () => '12 June 2026' },
    { title: 'TOTAL', text: ({ count }) => `£${count}.00`, align: 'right' },
    { title: 'STATE', text: () => 'Payment due' },
    { title: 'FEE', text: () => '£1.20', align: 'right' },
  ]
  const at = (width: number) => {
    const { dropped, rows: laid } = layOutTable(paid, rows, { width })
    return [dropped, laid[1]?.map(({ text }) => text)]
  }
  expect(at(51)).toEqual([[], ['田中 Wi…', '12 June 2026', '£120.00', 'Payment due', '£1.20']])
  expect(at(38)).toEqual([['STATE'], ['田中 Wi…', '12 June 2026', '£120.00', '£1.20']])
  expect(at(24)).toEqual([
    ['WHEN', 'STATE'],
    ['田中 Wi…', '£120.00', '£1.20'],
  ])
  expect(at(17)).toEqual([
    ['WHEN', 'STATE', 'FEE'],
    ['田中 Wi…', '£120.00'],
  ])
})
