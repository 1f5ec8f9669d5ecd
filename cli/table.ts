import { cleanLine } from './clean.ts'

/** Green and red never stand without a word; `quiet` steps back. */
export type Tone = 'ok' | 'bad' | 'quiet'

export type Column<Row> = {
  title: string
  text(row: Row): string
  align?: 'right'
  tone?(row: Row): Tone | undefined
  /** Left out where the terminal is too narrow, the highest first; a column without it stays. */
  givesWay?: number
  /** May be cut down to this many columns of the terminal. */
  shrinksTo?: number
}

type LaidCell = { text: string; tone?: Tone | undefined }
/** `leftOut` are the titles of columns for which there is no room. */
export type LaidTable = { titles: string[]; width: number; rows: LaidCell[][]; leftOut: string[] }

const gap = 2

/** Cuts and pads every cell so that the lines stand under each other, within `width` where one is given. */
export function layOut<Row>(columns: readonly Column<Row>[], rows: readonly Row[], width = Infinity): LaidTable {
  const measured = columns.map((column) => {
    const texts = rows.map((row) => cleanLine(column.text(row)))
    return { column, texts, width: Math.max(...[column.title, ...texts].map((text) => Bun.stringWidth(text))) }
  })
  const kept = shrinkToFit(dropToFit(measured, width), width)
  return {
    titles: kept.map(({ column, width }) => pad(column.title, width, column.align)),
    width: totalWidth(kept.map(({ width }) => width)),
    leftOut: columns.filter((column) => !kept.some((one) => one.column === column)).map(({ title }) => title),
    rows: rows.map((row, index) =>
      kept.map(({ column, texts, width }) => ({
        text: pad(cut(texts[index] ?? '', width), width, column.align),
        tone: column.tone?.(row),
      })),
    ),
  }
}

type Measured<Row> = { column: Column<Row>; texts: string[]; width: number }

const totalWidth = (widths: readonly number[]) => widths.reduce((sum, width) => sum + width + gap, -gap)

function dropToFit<Row>(columns: Measured<Row>[], width: number): Measured<Row>[] {
  const least = totalWidth(columns.map((one) => Math.min(one.width, one.column.shrinksTo ?? one.width)))
  const first = Math.max(...columns.map(({ column }) => column.givesWay ?? 0))
  if (least <= width || first === 0) return columns
  return dropToFit(
    columns.filter(({ column }) => column.givesWay !== first),
    width,
  )
}

/** Takes one column at a time from the widest that may still shrink. */
function shrinkToFit<Row>(columns: Measured<Row>[], width: number): Measured<Row>[] {
  const widths = columns.map((one) => one.width)
  while (totalWidth(widths) > width) {
    const room = columns.map(({ column }, at) => ((widths[at] ?? 0) > (column.shrinksTo ?? Infinity) ? widths[at] : 0))
    const widest = Math.max(...room.map((one) => one ?? 0))
    if (widest === 0) break
    widths[room.indexOf(widest)] = widest - 1
  }
  return columns.map((one, at) => ({ ...one, width: widths[at] ?? one.width }))
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

function cut(text: string, width: number): string {
  if (Bun.stringWidth(text) <= width) return text
  let kept = ''
  for (const { segment } of graphemes.segment(text)) {
    if (Bun.stringWidth(kept + segment) > width - 1) break
    kept += segment
  }
  return `${kept}…`
}

function pad(text: string, width: number, align?: 'right'): string {
  const space = ' '.repeat(Math.max(0, width - Bun.stringWidth(text)))
  return align === 'right' ? space + text : text + space
}

/** For pipes and plain terminals: the whole table, nothing cut. */
export function tableText<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  const { titles, rows: laid } = layOut(columns, rows)
  return [titles, ...laid.map((row) => row.map(({ text }) => text))].map(toLine).join('')
}

const toLine = (cells: readonly string[]) => `${cells.join(' '.repeat(gap)).trimEnd()}\n`

export const cellGap = ' '.repeat(gap)

/** What is known of one thing, a line each. */
export type Fact = { label: string; value: string; tone?: Tone | undefined }

export function factsText(facts: readonly Fact[]): string {
  const clean = facts.map(({ label, value }) => ({ label: cleanLine(label), value: cleanLine(value) }))
  const width = Math.max(...clean.map(({ label }) => Bun.stringWidth(label)))
  return clean.map(({ label, value }) => `${pad(label, width)}${cellGap}${value}\n`).join('')
}
