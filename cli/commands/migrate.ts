import type { Command } from 'commander'
import { type SharedOptions, serverOrigin } from '#cli/client.ts'
import { usageError } from '#cli/exit-codes.ts'
import { examples } from '#cli/help.ts'
import type { Io } from '#cli/io.ts'
import { countsOutput, print } from '#cli/output.ts'

export function registerMigrate(migrate: Command, io: Io): void {
  migrate
    .addHelpText('after', examples('migrate'))
    .action((_own, command: Command) => migrateDatabase(io, command.optsWithGlobals()))
}

async function migrateDatabase(io: Io, options: SharedOptions): Promise<void> {
  if (serverOrigin(io, options) !== null) {
    throw usageError('migrate changes the data folder on this machine and does not support --api.')
  }
  const { migrateLocal } = await import('#cli/transport-local.ts')
  const migrated = migrateLocal(io)
  await print(io, options, countsOutput({ migrated }, 'Migrated', { migrations: migrated }))
}
