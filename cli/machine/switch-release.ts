import { appendFileSync, existsSync, readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { errorMessage } from '#api/log.ts'
import { CliError, exitCodes } from '#cli/exit-codes.ts'
import { Readiness } from '#shared/contract/health.ts'
import type { Release } from '#shared/contract/release.ts'
import { folderOf, pointTo, removeOldReleases } from './release-folders.ts'

/** What systemd calls the server. */
const service = 'alliance'

/** How long a new server has until it's ready. A large database may take a while to migrate. */
const patienceMs = 60_000
const pollMs = 50

const Status = v.object({ waiting: v.number(), runs: v.boolean(), addsOnly: v.boolean() })
const Backup = v.object({
  file: v.string(),
  manifest: v.object({ createdAt: v.string(), database: v.object({ tables: v.record(v.string(), v.number()) }) }),
})
export type MadeBackup = v.InferOutput<typeof Backup>

/**
 * What a release says of the site's database. Null if there's no database yet. A release that can't say it is an error, or there
 * would be no backup before a migration.
 */
export function statusOf(root: string, folder: string) {
  const { out, err, code } = runIn(root, folder, ['migrate', 'status', '--json'])
  if (code === 0) return v.parse(Status, JSON.parse(out))
  if (code === exitCodes.notFound) return null
  throw new CliError(exitCodes.failed, `${folder} can’t read the site’s database. ${err}`)
}

/** A backup by the release that runs, while it runs. Video files lie next to it, once for all backups. */
export function backUp(root: string): MadeBackup {
  const { out, err } = runIn(root, join(root, 'current'), ['backup', 'create', '--media-apart', '--json'])
  const made = out.startsWith('{') ? v.safeParse(Backup, JSON.parse(out)) : null
  if (made?.success !== true) throw new CliError(exitCodes.failed, `There’s no backup, so we didn’t update. ${err}`)
  return made.output
}

type Ran = { code: number; out: string; err: string }

/** The release's own terminal, which works as the site's user. */
function runIn(root: string, folder: string, argv: readonly string[]): Ran {
  // A release that was only unpacked doesn't lie where it would find the site.
  const site = `ALLIANCE_SITE=${realpathSync(join(root, 'site'))}`
  const { exitCode, stdout, stderr } = Bun.spawnSync(['env', site, join(folder, 'bin/alliance'), ...argv])
  return { code: exitCode, out: stdout.toString(), err: stderr.toString().trim() }
}

export type Switch = {
  root: string
  from: Release
  to: Release
  isReversible: boolean
  migrations: number
  restore: string | null
}

/** `late`: the backup made while the server was stopped, where there's no other way back. */
type Switched = { waitedMs: number; late: string | null }

/**
 * Stops the server, migrates, starts the other release and waits until it's ready. Goes back on its own if it isn't, and says why.
 * `restore` is the backup the other release needs, if it can't run on the database.
 */
export async function switchRelease({ root, from, to, isReversible, migrations, restore }: Switch): Promise<Switched> {
  const began = performance.now()
  const undo: Undo = { root, to: from, backup: null, isRestored: false }
  try {
    // Ctrl-C reaches systemctl too. The server stops all the same.
    manage('stop')
    // Where going back takes a backup, it's made when nothing more can be written.
    if (!isReversible) undo.backup = backUp(root).file
    if (restore !== null) {
      undo.isRestored = true
      mustRun(root, to, ['backup', 'restore', restore, '--yes'])
    }
    if (migrations > 0) mustRun(root, to, ['migrate', '--quiet'])
    pointTo(root, to)
    manage('start')
    await waitUntilReady(root, to)
  } catch (error) {
    await goBack(undo)
    throw new CliError(
      exitCodes.failed,
      `We couldn’t start ${to.name}, so ${from.name} runs again. ${errorMessage(error)}`,
    )
  }
  removeOldReleases(root, [from.name])
  return { waitedMs: Math.round(performance.now() - began), late: undo.backup }
}

type Undo = { root: string; to: Release; backup: string | null; isRestored: boolean }

async function goBack({ root, to, backup, isRestored }: Undo): Promise<void> {
  try {
    // If this fails too, starting it is still what helps.
    Bun.spawnSync(['systemctl', 'stop', service])
    if (backup !== null && (isRestored || !canRun(root, to))) mustRun(root, to, ['backup', 'restore', backup, '--yes'])
    pointTo(root, to)
    manage('start')
    await waitUntilReady(root, to)
  } catch (error) {
    const saved = backup === null ? '' : ` The backup is ${backup}.`
    const line = `${to.name} doesn’t start any more either. ${errorMessage(error)}${saved} See: journalctl -u ${service}`
    throw new CliError(exitCodes.failed, line)
  }
}

function canRun(root: string, release: Release): boolean {
  try {
    return statusOf(root, folderOf(root, release))?.runs === true
  } catch {
    return false
  }
}

function mustRun(root: string, release: Release, argv: readonly string[]): void {
  const { code, err } = runIn(root, folderOf(root, release), argv)
  if (code !== 0) throw new Error(err)
}

function manage(verb: 'start' | 'stop'): void {
  const { success, stderr } = Bun.spawnSync(['systemctl', verb, service])
  if (!success) throw new Error(`systemctl ${verb} ${service}: ${stderr.toString().trim()}`)
}

async function waitUntilReady(root: string, { name }: Release): Promise<void> {
  const ask = join(root, 'current/bin/alliance-ready')
  const until = performance.now() + patienceMs
  while (performance.now() < until) {
    const { stdout } = Bun.spawnSync([ask])
    const answer = stdout.toString()
    const ready = answer.startsWith('{') ? v.safeParse(Readiness, JSON.parse(answer)) : null
    if (ready?.success === true && ready.output.ready && ready.output.release === name) return
    if (!Bun.spawnSync(['systemctl', 'is-active', '--quiet', service]).success) throw new Error('The server ended.')
    await Bun.sleep(pollMs)
  }
  throw new Error(`It wasn’t ready after ${patienceMs / 1000} seconds.`)
}

const Entry = v.object({ from: v.string(), to: v.string(), backup: v.string() })
const logOf = (root: string) => join(root, 'updates.jsonl')

/** So that going back knows the backup of an update. */
export const recordUpdate = (root: string, entry: v.InferOutput<typeof Entry>) =>
  appendFileSync(logOf(root), `${JSON.stringify(entry)}\n`)

/** The backup made before the latest update from this release. */
export function backupBefore(root: string, { name }: Release): string | null {
  const lines = existsSync(logOf(root)) ? readFileSync(logOf(root), 'utf8').trim().split('\n') : []
  const entries = lines.map((line) => v.parse(Entry, JSON.parse(line)))
  return entries.findLast(({ from }) => from === name)?.backup ?? null
}
