import { machineChangeRow, machineShowRow } from '#cli/machine-rows.ts'
import { countsOutput, recordSheet, sectionsOutput } from '#cli/output.ts'
import { withProgress } from '#cli/progress.ts'
import { type CommandRow, registersRows } from '#cli/rows.ts'

/** Reads the database alone: it is not changed, and a server may run. */
const statusRow = machineShowRow({
  usage: 'status',
  description: 'Show which migrations this database has, and which this program would add',
  examples: ['status'],
  read: async ({ io }) => (await import('#cli/machine/migrations.ts')).migrationStatus(io),
  output(status) {
    const details = [
      { label: 'Applied', value: String(status.applied) },
      { label: 'Waiting', value: String(status.waiting) },
      { label: 'Of a newer version', value: String(status.newer) },
    ]
    return sectionsOutput({ json: status, csv: () => recordSheet(status) }, [{ title: 'Migrations', details }])
  },
})

const migrateRow = machineChangeRow({
  usage: '',
  description: "Bring this machine's database to this version, with the server stopped",
  examples: [''],
  plan: async () => ({ facts: {}, output: countsOutput({}, 'Migrated', {}), question: null }),
  async apply({ io, options }) {
    const { migrateLocal } = await import('#cli/transport-local.ts')
    const migrated = await withProgress(io, options, 'Migrating', async () => migrateLocal(io))
    return countsOutput({ migrated }, 'Migrated', { migrations: migrated })
  },
})

export const migrateRows: readonly CommandRow[] = [migrateRow, statusRow]

export const registerMigrate = registersRows(migrateRows)
