import { Box, Text } from 'ink'
import type { Detail } from '#cli/table.ts'
import type { AdminMemberDetail } from '#shared/contract/members.ts'
import { Details, draw, Panel } from './parts.tsx'

export const drawMember = (member: AdminMemberDetail, details: readonly Detail[], width: number) =>
  draw(
    <Panel title="Member">
      <Details details={details} />
      <Box marginTop={1}>
        <ProgressBar completed={member.videosCompleted} total={member.videosAvailable} width={width} />
      </Box>
    </Panel>,
    width,
  )

function ProgressBar({ completed, total, width }: { completed: number; total: number; width: number }) {
  const length = Math.max(10, Math.min(40, width - 20))
  const filled = total === 0 ? 0 : Math.min(length, Math.round((completed / total) * length))
  return (
    <Text>
      <Text color="yellow">{'█'.repeat(filled)}</Text>
      <Text dimColor>{'░'.repeat(length - filled)}</Text> {completed} of {total}
    </Text>
  )
}
