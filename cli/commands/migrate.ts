import type { Command } from 'commander'
import { type SharedOptions, serverOrigin } from '#cli/client.ts'
import { usageError } from '#cli/exit-codes.ts'
import { examples } from '#cli/help.ts'
import type { Io } from '#cli/io.ts'
import { countsOutput, print, recordSheet, sectionsOutput } from '#cli/output.ts'

export function registerMigrate(migrate: Command, io: Io): void {
  migrate
    .addHelpText('after', examples('migrate'))
    .action((_own, command: Command) => migrateDatabase(io, command.optsWithGlobals()))
  migrate
    .command('status')
    .description('Show which migrations this database has, and which this program would add')
    .addHelpText('after', examples('migrate status'))
    .action((_own, command: Command) => showStatus(io, command.optsWithGlobals()))
}

/** Reads the database alone: it is not changed, and a server may run. */
async function showStatus(io: Io, options: SharedOptions): Promise<void> {
  assertLocal(io, options)
  const { migrationStatus } = await import('#cli/machine/migrations.ts')
  const status = migrationStatus(io)
  const details = [
    { label: 'Applied', value: String(status.applied) },
    { label: 'Waiting', value: String(status.waiting) },
    { label: 'Of a newer version', value: String(status.newer) },
  ]
  await print(
    io,
    options,
    sectionsOutput({ json: status, csv: () => recordSheet(status) }, [{ title: 'Migrations', details }]),
  )
}

function assertLocal(io: Io, options: SharedOptions): void {
  if (serverOrigin(io, options) !== null) {
    throw usageError('migrate changes the data folder on this machine and does not support --api.')
  }
}

async function migrateDatabase(io: Io, options: SharedOptions): Promise<void> {
  assertLocal(io, options)
  const { migrateLocal } = await import('#cli/transport-local.ts')
  const migrated = migrateLocal(io)
  await print(io, options, countsOutput({ migrated }, 'Migrated', { migrations: migrated }))
}
