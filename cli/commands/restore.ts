import { CliError, exitCodes, usageError } from '#cli/exit-codes.ts'
import { timeLabel } from '#cli/labels.ts'
import { machineActRow, machineChangeRow } from '#cli/machine-rows.ts'
import { type Output, recordOutput } from '#cli/output.ts'
import { withProgress } from '#cli/progress.ts'
import { type Call, type CommandRow, type OptionRow, registersRows } from '#cli/rows.ts'
import { readTypedMoment } from '#shared/rules/london.ts'
import { plural } from '#shared/rules/plural.ts'
import { sizeLabel } from './backup/options.ts'
import { restoredOutput, startNote } from './backup/restored-output.ts'

const load = () => import('#cli/machine/copies.ts')

const fromOption: OptionRow = ['--from <machine>', 'whose copies, if not the newest machine’s']

/** `at` null: as new as there is. `copiedTo`: until when something was copied before it. */
type Facts = {
  machine: string
  at: string | null
  copiedTo: string | null
  isGap: boolean
  dataDir: string
  hasDatabase: boolean
}

/** `isReached`: null if it isn't known whether the copies reach back so far, or there's nothing to ask. */
type Found = { newest: string; isReached: boolean | null }

async function factsOf({ io, option }: Call, at: string | null) {
  const { assertRestorable, findCopy, hasDatabase, openCopies } = await load()
  const copies = openCopies(io)
  const { dataDir } = copies.settings
  const { machine, newest } = await findCopy(copies, option('from'))
  const { isReached, copied } = await assertRestorable(copies, { machine, at })
  const { copiedTo, isGap } = copied ?? { copiedTo: null, isGap: false }
  const facts: Facts = { machine, at, copiedTo, isGap, dataDir, hasDatabase: hasDatabase(copies) }
  return { copies, found: { newest, isReached }, facts }
}

/** What nobody copied isn’t in what’s restored. */
const gapNotes = ({ at, copiedTo, isGap }: Facts): string[] =>
  isGap
    ? [`What was copied ends on ${timeLabel(copiedTo)}. Nothing written between then and ${timeLabel(at)} is in it.`]
    : []

function planOutput(facts: Facts, { newest, isReached }: Found): Output {
  const { machine, at, copiedTo, dataDir, hasDatabase } = facts
  const record = { machine, at, isReached, copiedTo, dataDir, hasDatabase }
  const reach = isReached ? 'yes' : 'can’t tell until you try (Litestream 0.5.12 can)'
  const details = [
    { label: 'Copy of', value: machine },
    { label: 'As of', value: timeLabel(at ?? newest) },
    ...(at === null ? [] : [{ label: 'Goes back that far', value: reach }]),
    ...(copiedTo === null ? [] : [{ label: 'Copied up to', value: timeLabel(copiedTo) }]),
    { label: 'Into', value: dataDir },
    { label: 'Current data', value: hasDatabase ? 'is moved aside and kept' : 'nothing' },
  ]
  return { ...recordOutput('Would be restored', details, record), notes: gapNotes(facts) }
}

/** UK time, or with a zone of its own. Litestream keeps a week, so a time without a day would be a guess. */
function readTime({ io, option }: Call): string | null {
  const typed = option('at') ?? ''
  if (typed === 'latest') return null
  const hasZone = /T.*(Z|[+-]\d\d:\d\d)$/.test(typed) && !Number.isNaN(Date.parse(typed))
  // JavaScript takes 31 June for 1 July.
  const isDay = readTypedMoment(`${typed.slice(0, 10)} 12:00`) !== null
  const at = hasZone && isDay ? new Date(typed).toISOString() : readTypedMoment(typed)
  if (at === null) throw usageError('--at takes a day and a UK time, such as "2026-06-12 07:40", or "latest".')
  if (Date.parse(at) > io.now().getTime()) throw usageError(`${timeLabel(at)} is still to come.`)
  return at
}

const restoreRow = machineChangeRow<Facts>({
  usage: '',
  description: 'Put the database back as it was at a time (stop the server first)',
  options: [['--at <time>', 'a day and a UK time, or "latest"'], fromOption],
  examples: ['--at "2026-06-12 07:40" --dry-run', '--at latest'],
  asks: true,
  async plan(call) {
    const at = readTime(call)
    const { facts, found } = await factsOf(call, at)
    const question = `Put the copy of ${timeLabel(at ?? found.newest)} over the database?`
    return {
      facts,
      output: planOutput(facts, found),
      question: facts.hasDatabase ? [...gapNotes(facts), question].join(' ') : null,
    }
  },
  async apply(call, facts) {
    const { machine, at, copiedTo } = facts
    const { io, options } = call
    const { findCopy, openCopies, restoreAt } = await load()
    const copy = await findCopy(openCopies(io), machine)
    const done = await withProgress(io, options, 'Restoring', () => restoreAt(io, { ...copy, at, copiedTo }))
    const output = await restoredOutput(call, done)
    return { ...output, notes: [...gapNotes(facts), ...(output.notes ?? [])] }
  },
})

const tryRow = machineActRow({
  usage: 'try',
  description: 'Restore the newest copy beside the site, check it, and throw it away',
  options: [fromOption],
  examples: ['try'],
  async act({ io, option, options }) {
    const { tryRestore } = await load()
    const { machine, newest, newestChange, rows, bytes, seconds } = await withProgress(io, options, 'Trying', () =>
      tryRestore(io, option('from')),
    )
    const record = { machine, newest, newestChange, rows, bytes, seconds: Number(seconds.toFixed(1)) }
    const sentence = `The copy of ${machine} is whole: ${plural(rows, 'row')}, ${sizeLabel(bytes)}, ${seconds.toFixed(1)} s.`
    const age = newestChange === null ? '' : ` Its newest change is from ${timeLabel(newestChange)}.`
    return { sentence: sentence + age, record }
  },
})

const takeoverRow = machineChangeRow<Facts & { asItIs: boolean }>({
  usage: '',
  description: 'Run the site on this machine, from the last copy of the old one (stop the server here first)',
  options: [
    fromOption,
    ['--as-it-is', 'use the database that’s in this data folder instead of a copy'],
    ['--old-site-is-gone', 'go on although something answers at PUBLIC_URL, or the store can’t stop a second takeover'],
  ],
  examples: ['--dry-run', '', '--from site-1 --old-site-is-gone'],
  asks: true,
  async plan(call) {
    const asItIs = call.options.asItIs === true
    const { copies, facts, found } = asItIs ? await factsAsItIs(call) : await factsOf(call, null)
    if (call.options.oldSiteIsGone !== true) await assertOldSiteGone(copies)
    return {
      facts: { ...facts, asItIs },
      output: planOutput(facts, found),
      question: 'Run the site on this machine from now on? The old machine stops within a minute, if it’s still on.',
    }
  },
  async apply(call, { machine, asItIs }) {
    const { io, options } = call
    const { findCopy, openCopies, takeOver, takeOverAsItIs } = await load()
    if (asItIs) {
      const { number, at } = await takeOverAsItIs(io)
      return { sentence: `This machine has the site now. ${startNote(io)}`, record: { generation: number, at } }
    }
    const copy = await findCopy(openCopies(io), machine)
    const done = await withProgress(io, options, 'Taking over', () => takeOver(io, copy))
    const output = await restoredOutput(call, done)
    return { ...output, notes: [...(output.notes ?? []), oldMachineNote] }
  },
})

const oldMachineNote = 'If the old machine comes back, switch it off there: systemctl disable --now alliance litestream'

async function factsAsItIs({ io }: Call) {
  const { hasDatabase, openCopies } = await load()
  const copies = openCopies(io)
  const { dataDir } = copies.settings
  if (!hasDatabase(copies)) throw new CliError(exitCodes.notFound, `There’s no database in ${dataDir}.`)
  const facts: Facts = {
    machine: copies.settings.copies.machine,
    at: null,
    copiedTo: null,
    isGap: false,
    dataDir,
    hasDatabase: true,
  }
  return { copies, found: { newest: io.now().toISOString(), isReached: null }, facts }
}

async function assertOldSiteGone(copies: Parameters<Awaited<ReturnType<typeof load>>['siteAnswers']>[0]) {
  const { mayClaim, siteAnswers } = await load()
  const { publicUrl } = copies.settings
  if (await siteAnswers(copies)) {
    throw new CliError(
      exitCodes.failed,
      `The old site still answers at ${publicUrl}. Stop it first: systemctl disable --now alliance litestream. If it isn’t the old site, use --old-site-is-gone.`,
    )
  }
  if (!(await mayClaim(copies))) {
    throw new CliError(
      exitCodes.failed,
      'Your store can’t stop two machines from taking over at the same time. Switch the old machine off, then use --old-site-is-gone.',
    )
  }
}

export const restoreRows: readonly CommandRow[] = [restoreRow, tryRow]
export const takeoverRows: readonly CommandRow[] = [takeoverRow]

export const registerRestore = registersRows(restoreRows)
export const registerTakeover = registersRows(takeoverRows)
