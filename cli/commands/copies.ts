import { machineShowRow } from '#cli/machine-rows.ts'
import { csvOfRecord } from '#cli/output.ts'
import { type CommandRow, registersRows } from '#cli/rows.ts'

const configRow = machineShowRow({
  usage: 'config',
  description: 'Print the settings file for this machine’s Litestream, in the language of its version',
  options: [['--with-keys', 'with the store’s keys in it, as Litestream needs them']],
  examples: ['config'],
  async read({ io, options }) {
    const { settingsFor } = await import('#cli/machine/copies.ts')
    return settingsFor(io, { hasKeys: options.withKeys === true })
  },
  output: (settings) => ({
    json: settings,
    csv: () => csvOfRecord(settings),
    text: () => settings.text,
    notes: settings.change === null ? [] : [settings.change],
  }),
})

export const copyRows: readonly CommandRow[] = [configRow]
export const registerCopies = registersRows(copyRows)
