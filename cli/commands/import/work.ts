import type { SharedOptions } from '#cli/client.ts'
import type { Client } from '#cli/connection.ts'
import { CliError, exitCodes } from '#cli/exit-codes.ts'
import type { Io } from '#cli/io.ts'
import { reportRows } from '#cli/progress.ts'
import { request } from '#cli/request.ts'
import { busyImportStates, Import, type ImportKindName, type ImportOptions } from '#shared/contract/imports.ts'
import { JobRun } from '#shared/contract/jobs.ts'

const pollMs = 250
/** While a server does the work. Should it stop, we take over. */
const askAgainMs = 30_000

const readImport = ({ api }: Client, id: string) => request(Import, api.admin.imports({ id }).get())

/**
 * Waits until an import is planned, applied or undone, and draws how far it is. Without a server the work is done by this process,
 * which is why it asks for the job.
 */
export async function finishWork(io: Io, options: SharedOptions, client: Client, begun: Import): Promise<Import> {
  const progress = reportRows(io, options)
  let current = begun
  let shown = 0
  let running: Promise<unknown> | null = null
  let askAt = 0
  const askLater = () => {
    askAt = Date.now() + askAgainMs
  }
  while (busyImportStates.includes(current.state)) {
    if (io.signal.aborted) throw new CliError(exitCodes.cancelled, 'Stopped. Run it again and it goes on.')
    if (running === null && Date.now() >= askAt)
      running = request(JobRun, client.api.admin.jobs({ name: 'imports' }).run.post({ all: false }))
        .then(({ skipped }) => skipped && askLater())
        .catch(askLater)
        .finally(() => {
          running = null
        })
    const pause = Bun.sleep(pollMs)
    await (running === null ? pause : Promise.race([running, pause]))
    current = await readImport(client, begun.id)
    const { rows, done, undone, counts, state } = current
    const now = state === 'planning' ? rows : state === 'undoing' ? undone : done
    await progress.add(Math.max(0, now - shown), state === 'applying' ? counts.new + counts.double : null)
    shown = Math.max(shown, now)
  }
  await progress.end()
  return current
}

type Begin = { kind: ImportKindName; upload: string | null; options: ImportOptions }

export async function planWork(
  { io, options }: { io: Io; options: SharedOptions },
  client: Client,
  { kind, upload, options: how }: Begin,
): Promise<Import> {
  const begun = await request(Import, client.api.admin.imports.post({ kind, upload, options: how }))
  return finishWork(io, options, client, begun)
}
