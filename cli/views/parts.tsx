import { Box, renderToString, Text, Transform } from 'ink'
import type { ReactElement, ReactNode } from 'react'
import { toSafeLine } from '#cli/control-characters.ts'
import { columnGap, type Detail, type TableLayout, type Tone } from '#cli/table.ts'

export const draw = (view: ReactElement, width: number) => renderToString(view, { columns: width })

const toneStyles = {
  success: { color: 'green' },
  error: { color: 'red', bold: true },
  muted: { dimColor: true },
} as const
const styleOf = (tone: Tone | undefined) => (tone === undefined ? {} : toneStyles[tone])

export function Panel({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Box flexDirection="column">
      <Text bold>
        <Text color="yellow">▌</Text> {title.toUpperCase()}
      </Text>
      {children}
    </Box>
  )
}

export function TableView({ layout, width }: { layout: TableLayout; width: number }) {
  return (
    <Box flexDirection="column">
      <Text bold wrap="truncate">
        {layout.titles.join(columnGap)}
      </Text>
      <Text wrap="truncate">{'━'.repeat(Math.min(layout.width, width))}</Text>
      {layout.rows.map((cells, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: drawn once, never reordered
        <Text key={at} wrap="wrap">
          {partsOf(cells).map((part, at) =>
            typeof part === 'string' ? (
              part
            ) : (
              // biome-ignore lint/suspicious/noArrayIndexKey: drawn once, never reordered
              <Text key={at} {...styleOf(part.tone)}>
                {part.link === undefined ? part.text : <Linked text={part.text} address={part.link} />}
              </Text>
            ),
          )}
        </Text>
      ))}
      {layout.dropped.length > 0 && <Text dimColor>Hidden: {layout.dropped.join(', ')}. Use --csv or --json.</Text>}
    </Box>
  )
}

type Cell = TableLayout['rows'][number][number]

/** A row's cells with the gaps between them. Joins plain ones, because each element takes time to draw. */
function partsOf(cells: readonly Cell[]): (string | Cell)[] {
  const parts: (string | Cell)[] = []
  let plain = ''
  for (const [at, cell] of cells.entries()) {
    if (at > 0) plain += columnGap
    if (cell.tone === undefined && cell.link === undefined) plain += cell.text
    else {
      parts.push(plain, cell)
      plain = ''
    }
  }
  return [...parts, plain]
}

const Linked = ({ text, address }: { text: string; address: string }) => (
  <Transform transform={(shown) => `\u001b]8;;${address}\u001b\\${shown}\u001b]8;;\u001b\\`}>
    <Text>{text}</Text>
  </Transform>
)

const narrowestValue = 24

/** A label and its value on each line. A long value wraps under itself, and labels leave room for values. */
export function Details({ details, width = Infinity }: { details: readonly Detail[]; width?: number }) {
  const widest = Math.max(...details.map(({ label }) => Bun.stringWidth(toSafeLine(label))))
  const labelWidth = Math.min(widest, Math.max(width - narrowestValue, 12))
  return (
    <Box flexDirection="column">
      {[...details.entries()].map(([at, { label, value, tone }]) => (
        <Box key={at} gap={columnGap.length}>
          <Box width={labelWidth} flexShrink={0}>
            <Text dimColor>{toSafeLine(label)}</Text>
          </Box>
          <Text {...styleOf(tone)}>{toSafeLine(value)}</Text>
        </Box>
      ))}
    </Box>
  )
}
