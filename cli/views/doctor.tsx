import { Box, Text } from 'ink'
import type { Check } from '#api/features/operations/doctor/check-rules.ts'
import { draw, Panel } from './parts.tsx'

const marks = {
  ok: { mark: '✓ ok', style: { color: 'green' } },
  unset: { mark: '– none', style: { dimColor: true } },
  warning: { mark: '! warning', style: { color: 'yellow' } },
  failed: { mark: '✗ failed', style: { color: 'red', bold: true } },
} as const

/** Each check with a coloured mark, and a tick only where something was found right. A long message wraps under itself, where a table would cut it. */
export function drawDoctor(checks: readonly Check[], summary: string, width: number): string {
  const nameWidth = Math.max(...checks.map(({ name }) => name.length))
  return draw(
    <Panel title="Doctor">
      {checks.map(({ name, state, isUnset, message }) => (
        <Box key={name} gap={2}>
          <Box width={9} flexShrink={0}>
            <Mark of={isUnset ? 'unset' : state} />
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

const Mark = ({ of }: { of: keyof typeof marks }) => <Text {...marks[of].style}>{marks[of].mark}</Text>
