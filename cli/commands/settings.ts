import type { Command } from 'commander'
import { type SharedOptions, withClient } from '#cli/client.ts'
import { CliError, exitCodes } from '#cli/exit-codes.ts'
import { examples } from '#cli/help.ts'
import type { Io } from '#cli/io.ts'
import { emptyLabel } from '#cli/labels.ts'
import { note, print, printOutcome, tableOutput } from '#cli/output.ts'
import { parseArgument, request } from '#cli/request.ts'
import { csvFields, type Table } from '#cli/table.ts'
import {
  SettingName,
  SettingRequest,
  SiteSetting,
  SiteSettingList,
  settingGroups,
  settingOption,
} from '#shared/contract/site-settings.ts'
import { plural } from '#shared/rules/plural.ts'

export function registerSettings(settings: Command, io: Io): void {
  settings
    .command('list')
    .description('List what can be set while the site runs, and what is set where')
    .addHelpText('after', examples('settings list', 'settings list --csv > settings.csv'))
    .action((_own, command: Command) => listSettings(io, command.optsWithGlobals()))
  settings
    .command('set <name> <value>')
    .description('Set one; an empty value clears it')
    .addHelpText('after', examples('settings set SELLER_NAME "Bench & Co Ltd"', 'settings set FACEBOOK_URL ""'))
    .action((name: string, value: string, _own, command: Command) =>
      changeSetting(io, command.optsWithGlobals(), { name, value }),
    )
  settings
    .command('check')
    .description('List what is not set, and what is wrong with what is')
    .addHelpText('after', examples('settings check'))
    .action((_own, command: Command) => checkSettings(io, command.optsWithGlobals()))
}

const sourceLabels: Record<SiteSetting['source'], string> = {
  environment: 'environment',
  database: 'set here',
  none: 'not set',
}

const groupOf = ({ name }: SiteSetting) => settingGroups[settingOption(name).group]

const settingsTable: Table<SiteSetting> = {
  title: 'Settings',
  empty: 'There are no settings.',
  columns: [
    { title: 'NAME', text: ({ name }) => name },
    { title: 'VALUE', text: ({ value }) => value || emptyLabel, minWidth: 16 },
    {
      title: 'WHERE',
      text: ({ source }) => sourceLabels[source],
      tone: ({ source }) => (source === 'none' ? 'muted' : undefined),
    },
    { title: 'WHAT IT IS', text: ({ name }) => settingOption(name).label, minWidth: 12, dropOrder: 1 },
  ],
  csv: [
    ...csvFields(['name', 'value', 'source', 'problem', 'updatedAt']),
    { name: 'label', cell: ({ name }) => settingOption(name).label },
  ],
}

const problemsTable: Table<SiteSetting> = {
  title: 'Settings to look at',
  empty: 'Everything is set.',
  columns: [
    { title: 'NAME', text: ({ name }) => name },
    {
      title: 'STATE',
      text: ({ problem }) => problem ?? 'not set',
      tone: ({ problem }) => (problem === null ? 'muted' : 'error'),
      minWidth: 14,
    },
    { title: 'FOR', text: groupOf, minWidth: 12, dropOrder: 1 },
  ],
  csv: csvFields(['name', 'value', 'source', 'problem']),
}

const requestAll = (io: Io, options: SharedOptions) =>
  withClient(io, options, ({ api }) => request(SiteSettingList, api.admin.settings.get()), { mayCreate: true })

const listSettings = async (io: Io, options: SharedOptions) =>
  print(io, options, tableOutput(settingsTable, await requestAll(io, options)))

async function changeSetting(io: Io, options: SharedOptions, given: { name: string; value: string }): Promise<void> {
  const name = parseArgument(SettingName, given.name.toUpperCase())
  const { value } = parseArgument(SettingRequest, { value: given.value })
  const setting = await withClient(
    io,
    options,
    async ({ api }) => {
      const all = await request(SiteSettingList, api.admin.settings.get())
      const version = all.find((one) => one.name === name)?.version ?? 0
      return request(SiteSetting, api.admin.settings({ name }).put({ value, version }))
    },
    { mayCreate: true },
  )
  const sentence = setting.value === '' ? `${name} is not set any more.` : `${name} is set: ${setting.value}`
  await printOutcome(io, options, { record: { name, value: setting.value, source: setting.source }, sentence })
  if (setting.problem !== null) await note(io, options, `${name} ${setting.problem}.`)
}

/** What is not set is no fault: it leaves the pages. Exits as failed where something is wrong. */
async function checkSettings(io: Io, options: SharedOptions): Promise<void> {
  const found = (await requestAll(io, options)).filter(({ source, problem }) => source === 'none' || problem !== null)
  await print(io, options, tableOutput(problemsTable, found))
  const wrong = found.filter(({ problem }) => problem !== null)
  if (wrong.length > 0) throw new CliError(exitCodes.failed, `${plural(wrong.length, 'setting')} to put right.`)
  if (found.length > 0) await note(io, options, 'What is not set is left off the pages.')
}
