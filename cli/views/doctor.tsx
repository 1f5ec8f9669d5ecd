import { Box, Text } from 'ink'
import type { Check } from '#cli/doctor/check.ts'
import { Sheet } from './parts.tsx'

const marks = {
  ok: { mark: '✓ ok', style: { color: 'green' } },
  warning: { mark: '! warning', style: { color: 'yellow' } },
  failed: { mark: '✗ failed', style: { color: 'red', bold: true } },
} as const

export type DoctorViewProps = { checks: readonly Check[]; summary: string; width: number }

export function DoctorView({ checks, summary }: DoctorViewProps) {
  const nameWidth = Math.max(...checks.map(({ name }) => name.length))
  return (
    <Sheet title="Doctor">
      {checks.map(({ name, state, says }) => (
        <Box key={name} gap={2}>
          <Box width={9} flexShrink={0}>
            <Text {...marks[state].style}>{marks[state].mark}</Text>
          </Box>
          <Box width={nameWidth} flexShrink={0}>
            <Text>{name}</Text>
          </Box>
          <Text>{says}</Text>
        </Box>
      ))}
      <Text bold>{summary}</Text>
    </Sheet>
  )
}
