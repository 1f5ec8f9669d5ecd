import type { Io } from '#cli/io.ts'
import type { MigrationStatus } from '#cli/machine/migrations.ts'
import { machineChangeRow, machineShowRow } from '#cli/machine-rows.ts'
import { countsOutput, type Output, recordOutput } from '#cli/output.ts'
import { withProgress } from '#cli/progress.ts'
import { type CommandRow, registersRows } from '#cli/rows.ts'

const readStatus = async (io: Io) => (await import('#cli/machine/migrations.ts')).migrationStatus(io)

/** Only reads the database, so a server may be running. */
const statusRow = machineShowRow({
  usage: 'status',
  description: 'Show applied and pending migrations',
  examples: ['status'],
  read: ({ io }) => readStatus(io),
  output: statusOutput,
})

function statusOutput(status: MigrationStatus): Output {
  const details = [
    { label: 'Applied', value: String(status.applied) },
    { label: 'Waiting', value: String(status.waiting) },
    { label: 'From a newer version', value: String(status.newer) },
    ...(status.addsOnly ? [] : [{ label: 'Going back', value: 'restores a backup: they do more than add' }]),
  ]
  return recordOutput('Migrations', details, status)
}

const migrateRow = machineChangeRow({
  usage: '',
  description: "Migrate this machine's database, with the server stopped",
  examples: ['', '--dry-run'],
  /**
   * Older versions of the program refuse the database afterwards, so there's a plan to look at first. If there's no database, we
   * create one.
   */
  async plan({ io, options }) {
    const isPlanned = options.dryRun !== undefined || io.plan !== undefined
    const facts = isPlanned ? await readStatus(io) : null
    return { facts, output: facts === null ? countsOutput({}, 'Migrated', {}) : statusOutput(facts), question: null }
  },
  async apply({ io, options }) {
    const { migrateLocal } = await import('#cli/transport-local.ts')
    const migrated = await withProgress(io, options, 'Migrating', async () => migrateLocal(io))
    return countsOutput({ migrated }, 'Migrated', { migrations: migrated })
  },
})

export const migrateRows: readonly CommandRow[] = [migrateRow, statusRow]

export const registerMigrate = registersRows(migrateRows)
