import { Box, Text } from 'ink'
import type { ReactNode } from 'react'
import { cleanLine } from '#cli/clean.ts'
import { type Column, cellGap, type Fact, layOut, type Tone } from '#cli/table.ts'

const toneStyle = { ok: { color: 'green' }, bad: { color: 'red', bold: true }, quiet: { dimColor: true } } as const
const styleOf = (tone: Tone | undefined) => (tone === undefined ? {} : toneStyle[tone])

/** A sheet: its name behind the hi-vis tab, then the work. */
export function Sheet({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Box flexDirection="column">
      <Text bold>
        <Text color="yellow">▌</Text> {title.toUpperCase()}
      </Text>
      {children}
    </Box>
  )
}

/** A line for each row, under one heavy line. */
export function Table<Row>({ columns, rows, width }: TableProps<Row>) {
  const laid = layOut(columns, rows, width)
  return (
    <Box flexDirection="column">
      <Text bold wrap="truncate">
        {laid.titles.join(cellGap)}
      </Text>
      <Text wrap="truncate">{'━'.repeat(Math.min(laid.width, width))}</Text>
      {laid.rows.map((cells, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: drawn once, never reordered
        <Text key={at} wrap="truncate">
          {cells.map(({ text, tone }, cell) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: drawn once, never reordered
            <Text key={cell} {...styleOf(tone)}>
              {cell === 0 ? text : cellGap + text}
            </Text>
          ))}
        </Text>
      ))}
      {laid.leftOut.length > 0 && <Text dimColor>No room for {laid.leftOut.join(', ')}: see --csv or --json.</Text>}
    </Box>
  )
}

export type TableProps<Row> = { columns: readonly Column<Row>[]; rows: readonly Row[]; width: number }

/** Label and value, a line each; a long value goes on under itself. */
export function Facts({ facts }: { facts: readonly Fact[] }) {
  const labelWidth = Math.max(...facts.map(({ label }) => Bun.stringWidth(cleanLine(label))))
  return (
    <Box flexDirection="column">
      {facts.map(({ label, value, tone }) => (
        <Box key={label} gap={cellGap.length}>
          <Box width={labelWidth} flexShrink={0}>
            <Text dimColor>{cleanLine(label)}</Text>
          </Box>
          <Text {...styleOf(tone)}>{cleanLine(value)}</Text>
        </Box>
      ))}
    </Box>
  )
}

/** The tape: how much of it is run out, in words as well. */
export function Tape({ done, of, width }: { done: number; of: number; width: number }) {
  const length = Math.max(10, Math.min(40, width - 20))
  const out = of === 0 ? 0 : Math.min(length, Math.round((done / of) * length))
  return (
    <Text>
      <Text color="yellow">{'█'.repeat(out)}</Text>
      <Text dimColor>{'░'.repeat(length - out)}</Text> {done} of {of}
    </Text>
  )
}
