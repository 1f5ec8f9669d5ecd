import { Box, Text } from 'ink'
import type { Check } from '#api/features/doctor/check-rules.ts'
import { draw, Panel } from './parts.tsx'

const marks = {
  ok: { mark: '✓ ok', style: { color: 'green' } },
  warning: { mark: '! warning', style: { color: 'yellow' } },
  failed: { mark: '✗ failed', style: { color: 'red', bold: true } },
} as const

/** Each check with a coloured mark. A long message wraps under itself, where a table would cut it. */
export function drawDoctor(checks: readonly Check[], summary: string, width: number): string {
  const nameWidth = Math.max(...checks.map(({ name }) => name.length))
  return draw(
    <Panel title="Doctor">
      {checks.map(({ name, state, message }) => (
        <Box key={name} gap={2}>
          <Box width={9} flexShrink={0}>
            <Text {...marks[state].style}>{marks[state].mark}</Text>
          </Box>
          <Box width={nameWidth} flexShrink={0}>
            <Text>{name}</Text>
          </Box>
          <Text>{message}</Text>
        </Box>
      ))}
      <Text bold>{summary}</Text>
    </Panel>,
    width,
  )
}
