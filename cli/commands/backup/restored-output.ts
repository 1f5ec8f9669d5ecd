import type { LostMedia } from '#api/features/operations/backup/restore-service.ts'
import { type Io, notify } from '#cli/io.ts'
import { timeLabel } from '#cli/labels.ts'
import type { RestoredHere } from '#cli/machine/restore.ts'
import { type Output, recordOutput } from '#cli/output.ts'
import type { Call } from '#cli/rows.ts'
import type { DocumentNumbers } from '#shared/contract/invoices.ts'
import { creditNoteNumber, invoiceNumber } from '#shared/rules/invoice-number.ts'
import { plural } from '#shared/rules/plural.ts'

/** What a restore has done, and what's left to do. */
export async function restoredOutput({ io }: Call, done: RestoredHere): Promise<Output> {
  const { before, settings, addedMedia, lostMedia, rows, manifest, dataDir, numbers } = done
  const { carriedOver, heldCampaigns, heldMail } = done
  // Even with `--quiet`.
  for (const one of lostMedia) await notify(io, lostNote(one))
  const { nextInvoice, nextCreditNote } = numbers
  const areOpen = numbers.open !== null
  const record = {
    rows,
    dataDir,
    addedMedia,
    before,
    settings,
    createdAt: manifest.createdAt,
    carriedOver: carriedOver.join(' '),
    nextInvoice,
    nextCreditNote,
    areNumbersOpen: areOpen,
  }
  const left = numbers.skipped.filter(({ reason }) => before !== null && reason.includes(before))
  const details = [
    { label: 'Restored', value: `${plural(rows, 'row')} of ${timeLabel(manifest.createdAt)}, into ${dataDir}` },
    { label: 'Media added', value: plural(addedMedia, 'file') },
    ...(before === null ? [] : [{ label: 'Previous data', value: before }]),
    ...(settings === null ? [] : [{ label: 'Its .env, for comparison', value: settings }]),
    ...(carriedOver.length === 0 ? [] : [{ label: 'Documents added', value: listed(carriedOver) }]),
    ...left.map(({ first, last }) => ({ label: 'Numbers skipped', value: rangeLabel(first, last) })),
    { label: 'Next numbers', value: areOpen ? 'not known yet' : `${nextInvoice}, ${nextCreditNote}` },
  ]
  return {
    ...recordOutput('Restored', details, record, { ...record, heldCampaigns, heldMail, lostMedia }),
    notes: [
      ...heldNotes(heldCampaigns),
      ...heldMailNotes(done),
      ...(areOpen ? openNotes(manifest.createdAt, done) : []),
      ...nextNotes(io, { ...done, areOpen }),
    ],
  }
}

function lostNote({ name, usedBy, file }: LostMedia): string {
  const what = usedBy.length === 0 ? name : `${name}, of “${usedBy.join('”, “')}”`
  return `Not restored: ${what}. Both copies, in the backup and here, are missing or damaged. Upload the file again, or put it at ${file}`
}

const heldNotes = (subjects: readonly string[]): string[] =>
  subjects.map(
    (subject) =>
      `The campaign “${subject}” may have gone out since then, so it’s on hold. Check, and send the rest under Campaigns.`,
  )

function heldMailNotes({ heldMail, dataDir, usualDir, sudo }: RestoredHere): string[] {
  if (heldMail === null || heldMail.emails === 0) return []
  const { emails, since } = heldMail
  const command = `${dataDir === usualDir ? '' : `${sudo}DATA_DIR=${shellWord(dataDir)} `}alliance mail`
  return [
    `${plural(emails, 'email')} waited to be sent when the backup was made and may have gone out since, so we’re holding ` +
      `${emails === 1 ? 'it' : 'them'}. Look: ${command} list --status failed. Send: ${command} resend --all --since ${since}`,
  ]
}

export type Given = RestoredHere['given']

export const lastNumbers = (given: Given) => ({
  lastInvoice: given === null || given.invoices === 0 ? null : invoiceNumber(given.invoices),
  lastCreditNote: given === null || given.creditNotes === 0 ? null : creditNoteNumber(given.creditNotes),
})

export const lastNumbersLabel = (given: Given) =>
  Object.values(lastNumbers(given))
    .filter((number) => number !== null)
    .join(' and ')

const listed = (numbers: readonly string[]) =>
  numbers.length <= 4 ? numbers.join(', ') : `${numbers.length}, from ${numbers[0]} to ${numbers.at(-1)}`

const rangeLabel = (first: string, last: string) => (first === last ? first : `${first} to ${last}`)

/**
 * We can't undo giving a number out twice, but an invoice can wait for 30 days. So the server issues none until the owner decides.
 */
function openNotes(madeAt: string, { given, numbers }: { given: Given; numbers: DocumentNumbers }): string[] {
  const { nextInvoice, nextCreditNote } = numbers
  const last = lastNumbersLabel(given)
  const what =
    given?.isSure === false
      ? 'and the previous data is damaged or incomplete'
      : 'and no database here has their numbers'
  const seen = given?.isSure === false && last !== '' ? ` The last one it can still read: ${last}.` : ''
  return [
    `Invoices issued after ${timeLabel(madeAt)} aren’t in this backup, ${what}. ` +
      `${nextInvoice} and ${nextCreditNote} may already be issued, so no invoices go out until you say.${seen}`,
  ]
}

/** Safe to copy as it is: the last number we know was issued, or a placeholder the command refuses. */
function skipExample(given: Given, { nextInvoice }: DocumentNumbers): string {
  const { lastInvoice } = lastNumbers(given)
  return lastInvoice !== null && lastInvoice >= nextInvoice ? lastInvoice : 'NUMBER'
}

type Next = {
  dataDir: string
  usualDir: string
  sudo: string
  isRelease: boolean
  areOpen: boolean
  given: Given
  numbers: DocumentNumbers
}

/** An installed release starts the site after root’s takeover: `deploy/bin/alliance`. */
export const startNote = ({ env }: Io): string =>
  env.ALLIANCE_STARTS === undefined
    ? 'Start the server, then run: alliance doctor'
    : 'Once the site’s up, run: sudo alliance doctor'

/** If we restored into another folder, the site goes on using its own until someone changes that. */
function nextNotes(io: Io, { dataDir, usualDir, sudo, isRelease, areOpen, given, numbers }: Next): string[] {
  const isBeside = dataDir !== usualDir
  const named = `DATA_DIR=${shellWord(dataDir)}`
  const setting = isBeside ? `${sudo}${named} ` : ''
  const skip = `${setting}alliance invoices skip`
  const first = areOpen
    ? [`Find the newest invoice you emailed, then: ${skip} ${skipExample(given, numbers)} (or: ${skip} none)`]
    : []
  if (!isBeside) return [...first, startNote(io)]
  return [
    ...first,
    `To check it: ${setting}alliance doctor`,
    `Without DATA_DIR, the server and commands use ${usualDir}, which is unchanged. To run the site on the restored data, ` +
      (isRelease ? 'stop it and restore without --into.' : `put ${named} into .env and restart the server.`),
  ]
}

/** Quotes a text as one shell word, whatever's in it. */
const shellWord = (text: string) => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`)
