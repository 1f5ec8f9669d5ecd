import type { Column } from '#cli/table.ts'
import type { JobState } from '#shared/contract/jobs.ts'
import { Sheet, Table } from './parts.tsx'

export type JobsViewProps = { jobs: readonly JobState[]; columns: readonly Column<JobState>[]; width: number }

export function JobsView({ jobs, columns, width }: JobsViewProps) {
  return (
    <Sheet title="Jobs">
      <Table columns={columns} rows={jobs} width={width} />
    </Sheet>
  )
}
