import { Box } from 'ink'
import type { Fact } from '#cli/table.ts'
import type { AdminMemberDetail } from '#shared/contract/admin.ts'
import { Facts, Sheet, Tape } from './parts.tsx'

export type MemberViewProps = { member: AdminMemberDetail; facts: readonly Fact[]; width: number }

export function MemberView({ member, facts, width }: MemberViewProps) {
  return (
    <Sheet title="Member">
      <Facts facts={facts} />
      <Box marginTop={1}>
        <Tape done={member.videosCompleted} of={member.videosAvailable} width={width} />
      </Box>
    </Sheet>
  )
}
