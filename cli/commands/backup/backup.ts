import type { Command } from 'commander'
import { examples } from '#cli/help.ts'
import type { Io } from '#cli/io.ts'
import { prune, restore, schedule } from './keep.ts'
import { create, list, verify } from './make.ts'

type Commands = { add(name: string, description: string, ...lines: string[]): Command; io: Io }

export function registerBackup(backup: Command, io: Io): void {
  backup.addHelpText(
    'after',
    examples('backup create --to /var/backups/alliance', 'backup list', 'backup verify night.tar'),
  )
  const add = (name: string, description: string, ...lines: string[]) =>
    backup
      .command(name)
      .description(description)
      .option('--passphrase-file <file>', 'file that holds the passphrase')
      .addHelpText('after', examples(...lines))
  registerMaking({ add, io })
  registerKeeping({ add, io })
}

const folder = [
  '--to <folder>',
  'folder of the backups (default: that of the schedule, or backups in the data folder)',
] as const
const keep = ['--keep <rule>', 'the newest of so many days, weeks and months (default: 7d,5w,12m)'] as const

function registerMaking({ add, io }: Commands): void {
  const copied = 'Copy database, media and settings into one file; the server may run'
  add('create', copied, 'backup create --to /var/backups/alliance')
    .option(...folder)
    .option('--encrypt', 'ask for a passphrase, without which nobody can read it')
    .option('--media-apart', 'keep media once in a folder beside the backups')
    .action((_own, command: Command) => create(io, command.optsWithGlobals()))
  add('list', 'List the backups of a folder, the newest first', 'backup list --to /var/backups/alliance')
    .option(...folder)
    .action((_own, command: Command) => list(io, command.optsWithGlobals()))
  add(
    'verify <file>',
    'Restore to a temporary place, and check the database and every count',
    'backup verify night.tar',
  )
    .option('--encrypt', 'ask for the passphrase')
    .action((file: string, _own, command: Command) => verify(io, command.optsWithGlobals(), file))
}

function registerKeeping({ add, io }: Commands): void {
  add('prune', 'Delete old backups', 'backup prune --keep 7d,5w,12m --dry-run')
    .option(...folder)
    .option(...keep)
    .option('--dry-run', 'show what would be deleted, without doing it')
    .option('-y, --yes', 'do not ask for confirmation')
    .action((_own, command: Command) => prune(io, command.optsWithGlobals()))
  const restored = 'Put a backup in the place of the database; the server must be stopped'
  add('restore <file>', restored, 'backup restore night.tar')
    .option('--encrypt', 'ask for the passphrase')
    .option('-y, --yes', 'do not ask for confirmation')
    .action((file: string, _own, command: Command) => restore(io, command.optsWithGlobals(), file))
  const nightly = 'Show or set when the server makes one each night, by London’s clock; "off" ends it'
  add('schedule [time]', nightly, 'backup schedule 03:15 --keep 7d,5w,12m', 'backup schedule off')
    .option(...folder)
    .option(...keep)
    .action((time: string | undefined, _own, command: Command) => schedule(io, command.optsWithGlobals(), time))
}
