import { CliError, exitCodes, usageError } from '#cli/exit-codes.ts'
import { timeLabel } from '#cli/labels.ts'
import type { Incoming } from '#cli/machine/release-archive.ts'
import { machineChangeRow } from '#cli/machine-rows.ts'
import { type Output, recordOutput } from '#cli/output.ts'
import { withProgress } from '#cli/progress.ts'
import { type Call, type CommandRow, registersRows } from '#cli/rows.ts'
import type { Release } from '#shared/contract/release.ts'
import { plural } from '#shared/rules/plural.ts'

const folders = () => import('#cli/machine/release-folders.ts')
const archives = () => import('#cli/machine/release-archive.ts')
const switching = () => import('#cli/machine/switch-release.ts')
const backups = () => import('#cli/machine/release-backups.ts')

type Facts = {
  from: string
  to: string
  migrations: number
  /** Whether the release that runs now can use the database after them. */
  addsOnly: boolean
  /** The backup the other release needs, because the database is too new for it. */
  restore: string | null
}

function factsOutput(facts: Facts, lost: readonly string[] = []): Output {
  const details = [
    { label: 'Runs now', value: facts.from },
    { label: 'Runs then', value: facts.to },
    { label: 'Migrations', value: String(facts.migrations) },
    ...(facts.addsOnly ? [] : [{ label: 'Going back', value: 'restores this update’s backup' }]),
    ...(facts.restore === null ? [] : [{ label: 'Restores', value: facts.restore }]),
    ...lost.map((value) => ({ label: 'Lost', value })),
  ]
  return recordOutput('Release', details, facts, { ...facts, lost })
}

const inSeconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`

const updateRow = machineChangeRow<Facts>({
  usage: '<file-or-address>',
  description: 'Update this server to a signed release, and go back if it doesn’t start',
  options: [['--downgrade', 'allow a release older than the one that runs']],
  examples: ['alliance-0.2.0-linux-x64.tar.gz', 'https://releases.example/alliance.tar.gz --dry-run'],
  asks: true,
  async plan(call) {
    const { io, options } = call
    const { findInstalled, assertMayChange, compareReleases } = await folders()
    const installed = findInstalled()
    const { root, current } = installed
    assertMayChange(root)
    const { takeIn } = await archives()
    const incoming = await withProgress(io, options, 'Checking', () => takeIn(io, installed, call.argument(0)))
    taken.set(call, incoming)
    const order = compareReleases(incoming.release, current)
    if (order === 0) throw usageError(`${current.name} runs already.`)
    if (order < 0 && options.downgrade !== true)
      throw usageError(
        `${incoming.release.name} is older than ${current.name}. Use --downgrade if that’s what you want.`,
      )
    return planSwitch({ root, from: current, to: incoming.release, folder: incoming.folder })
  },
  async apply(call, facts) {
    taken.get(call)?.install()
    return withProgress(call.io, call.options, 'Updating', () => change(facts, 'Updated'))
  },
})

/** What a call's plan has unpacked, for its own `apply`. */
const taken = new WeakMap<Call, Incoming>()

const rollbackRow = machineChangeRow<Facts>({
  usage: '[release]',
  description: 'Go back to the release before this one, or to a named one that’s still here',
  examples: ['', '0.1.0-20260612074000 --dry-run'],
  asks: true,
  async plan({ argument }) {
    const { findInstalled, assertMayChange, compareReleases, folderOf, listReleases } = await folders()
    const { root, current } = findInstalled()
    assertMayChange(root)
    const older = listReleases(root).filter((one) => compareReleases(one, current) < 0)
    const wanted = argument(0) === '' ? older.at(-1) : older.find(({ name }) => name === argument(0))
    if (wanted === undefined) {
      const names = older.map(({ name }) => name).join(', ')
      throw new CliError(
        exitCodes.notFound,
        names === '' ? 'There’s no release before this one.' : `You can go back to: ${names}.`,
      )
    }
    return planSwitch({ root, from: current, to: wanted, folder: folderOf(root, wanted) })
  },
  apply: ({ io, options }, facts) => withProgress(io, options, 'Going back', () => change(facts, 'Went back')),
})

type Way = { root: string; from: Release; to: Release; folder: string }

async function planSwitch({ root, from, to, folder }: Way) {
  const { statusOf } = await switching()
  const status = statusOf(root, folder)
  const { waiting: migrations, addsOnly } = status ?? { waiting: 0, addsOnly: true }
  const facts = { from: from.name, to: to.name, migrations, addsOnly, restore: null }
  if (status === null || status.runs) {
    const back = addsOnly ? '' : ' Going back later restores the backup we make first. You’d lose what came after.'
    const question = `Change from ${from.name} to ${to.name}? The site stops for a few seconds.${back}`
    return { facts, output: factsOutput(facts), question }
  }
  const { findBackupBefore, lostSince } = await backups()
  const backup = await findBackupBefore(root, to)
  const lost = await lostSince(root, backup)
  const since = timeLabel(backup.createdAt)
  return {
    facts: { ...facts, restore: backup.file },
    output: factsOutput({ ...facts, restore: backup.file }, lost),
    question: `${to.name} can’t use today’s database, so we’d restore the backup of ${since}. You’d lose what came after: ${lost.join(', ')}. Restore it?`,
  }
}

async function change(facts: Facts, done: string) {
  const [{ findInstalled, folderOf, listReleases }, { backUp, recordUpdate, statusOf, switchRelease }] =
    await Promise.all([folders(), switching()])
  const { root, current: from } = findInstalled()
  const to = listReleases(root).find(({ name }) => name === facts.to)
  if (to === undefined) throw new CliError(exitCodes.notFound, `${facts.to} isn’t here any more.`)
  const status = statusOf(root, folderOf(root, to))
  const isReversible = status === null || (status.addsOnly && facts.restore === null)
  const early = status === null || !isReversible ? null : backUp(root).file
  const { waitedMs, late } = await switchRelease({ root, isReversible, ...facts, from, to })
  const backup = early ?? late
  if (backup !== null) recordUpdate(root, { from: from.name, to: to.name, backup })
  return {
    sentence: `${done} to ${to.name}. ${plural(facts.migrations, 'migration')}, ${inSeconds(waitedMs)} without the server.`,
    record: { from: from.name, to: to.name, migrations: facts.migrations, backup: backup ?? '', waitedMs },
    notes: backup === null ? [] : [`The backup from before is ${backup}.`],
  }
}

export const updateRows: readonly CommandRow[] = [updateRow]
export const rollbackRows: readonly CommandRow[] = [rollbackRow]

export const registerUpdate = registersRows(updateRows)
export const registerRollback = registersRows(rollbackRows)
