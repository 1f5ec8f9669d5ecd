import type { Command } from 'commander'
import type { Io } from '#cli/io.ts'

export function registerJobs(program: Command, io: Io): void {
  const jobs = program.command('jobs').description('What runs by itself: mail, clean-up, reconciling with the provider')
  jobs
    .command('list')
    .description('Every job, how often it runs, and how it last went')
    .action(async (_own, command: Command) => {
      const { listJobs } = await import('#cli/actions/jobs.ts')
      await listJobs(io, command.optsWithGlobals())
    })
  jobs
    .command('run <name>')
    .description('Run one now, such as reconcile, and show its report')
    .option('--all', 'reconcile: read every customer, those with whom nothing happens any more too')
    .action(async (name: string, _own, command: Command) => {
      const { runJob } = await import('#cli/actions/jobs.ts')
      await runJob(io, command.optsWithGlobals(), name.trim())
    })
}

export function registerSync(program: Command, io: Io): void {
  program
    .command('sync <id-or-email>')
    .description('Read one member afresh from the payment provider, and say what was mended')
    .action(async (idOrEmail: string, _own, command: Command) => {
      const { syncMember } = await import('#cli/actions/jobs.ts')
      await syncMember(io, command.optsWithGlobals(), idOrEmail.trim())
    })
}
