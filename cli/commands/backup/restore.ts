import { timeLabel } from '#cli/labels.ts'
import { machineChangeRow } from '#cli/machine-rows.ts'
import { recordOutput } from '#cli/output.ts'
import { withProgress } from '#cli/progress.ts'
import { plural } from '#shared/rules/plural.ts'
import { openBackup, passphraseOption, rowsIn, sizeLabel } from './options.ts'
import { type Given, lastNumbers, lastNumbersLabel, restoredOutput } from './restored-output.ts'

const loadRestoring = () => import('#cli/machine/restore.ts')

export const restore = machineChangeRow({
  usage: 'restore <file>',
  description: 'Restore a backup over the database (stop the server first), or into another folder to look into it',
  options: [
    passphraseOption,
    ['--encrypt', 'ask for the passphrase'],
    ['--into <folder>', 'restore it into this folder and leave the site as it is'],
  ],
  examples: ['restore night.tar --dry-run', 'restore night.tar', 'restore night.tar --into /tmp/last-night'],
  asks: true,
  async plan({ io, argument, option }) {
    const described = await (await loadRestoring()).describeRestore(io, argument(0), option('into'))
    const { file, bytes, createdAt, manifest, dataDir, hasDatabase } = described
    const { lastInvoice, lastCreditNote } = lastNumbers(described.given)
    const facts = { file, bytes, createdAt, dataDir, hasDatabase, lastInvoice, lastCreditNote }
    const rows = manifest === null ? 'encrypted' : plural(rowsIn(manifest.database.tables), 'row')
    const details = [
      { label: 'Backup', value: `${file}, ${sizeLabel(bytes)}` },
      { label: 'Made', value: timeLabel(createdAt) },
      { label: 'Holds', value: rows },
      { label: 'Into', value: dataDir },
      { label: 'Current data', value: hasDatabase ? 'is moved aside and kept' : 'nothing' },
      ...givenDetails(described.given),
    ]
    return {
      facts,
      output: recordOutput('Would be restored', details, facts),
      question: hasDatabase ? `Put ${file} over the database in ${dataDir}?` : null,
    }
  },
  async apply(call, { file }) {
    const { io, options, option } = call
    const { restoreLocal } = await loadRestoring()
    const into = option('into')
    const restored = await openBackup(call, (passphrase) =>
      withProgress(io, options, 'Restoring', () => restoreLocal(io, { file, into, passphrase })),
    )
    return restoredOutput(call, restored)
  },
})

function givenDetails(given: Given) {
  const last = lastNumbersLabel(given)
  if (given?.isSure === false)
    return [{ label: 'Numbers issued', value: 'not known for sure: no invoices go out until you say' }]
  if (last === '') return []
  return [{ label: 'Numbers issued', value: `up to ${last}: whatever isn’t in the backup is added or skipped` }]
}
