import * as v from 'valibot'
import type { Client } from '#cli/connection.ts'
import { usageError } from '#cli/exit-codes.ts'
import { emptyLabel } from '#cli/labels.ts'
import { tableOutput } from '#cli/output.ts'
import { parseArgument, request } from '#cli/request.ts'
import { actRow, registersRows, showRow } from '#cli/rows.ts'
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

const sourceLabels: Record<SiteSetting['source'], string> = {
  environment: 'environment',
  database: 'set here',
  none: 'not set',
}

const groupOf = ({ name }: SiteSetting) => settingGroups[settingOption(name).group]

const settingsTable: Table<SiteSetting> = {
  title: 'Settings',
  empty: 'No settings.',
  columns: [
    { title: 'NAME', text: ({ name }) => name },
    { title: 'VALUE', text: ({ value }) => value || emptyLabel, minWidth: 10 },
    {
      title: 'WHERE',
      text: ({ source }) => sourceLabels[source],
      tone: ({ source }) => (source === 'none' ? 'muted' : undefined),
    },
    { title: 'DESCRIPTION', text: ({ name }) => settingOption(name).label, minWidth: 12, dropOrder: 1 },
  ],
  csv: [
    ...csvFields(['name', 'value', 'source', 'problem', 'updatedAt']),
    { name: 'label', cell: ({ name }) => settingOption(name).label },
  ],
}

const problemsTable: Table<SiteSetting> = {
  title: 'Settings to check',
  empty: 'Everything’s set.',
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

const readAll = ({ api }: Client) => request(SiteSettingList, api.admin.settings.get())

const list = showRow({
  usage: 'list',
  description: 'List settings you can change while the site runs, and where each is set',
  examples: ['list', 'list --csv > settings.csv'],
  mayCreate: true,
  read: () => readAll,
  output: (settings) => tableOutput(settingsTable, settings),
})

const set = actRow({
  usage: 'set <name> <value>',
  description: 'Change a setting (an empty value clears it)',
  examples: ['set SELLER_NAME "Bench & Co Ltd"', 'set FACEBOOK_URL ""'],
  mayCreate: true,
  act({ argument }) {
    const name = argument(0).toUpperCase()
    if (!v.is(SettingName, name)) throw usageError(`There’s no setting ${name}. See: alliance settings list`)
    const { value } = parseArgument(SettingRequest, { value: argument(1) })
    return async (client) => {
      const version = (await readAll(client)).find((one) => one.name === name)?.version ?? 0
      const setting = await request(SiteSetting, client.api.admin.settings({ name }).put({ value, version }))
      const sentence = setting.value === '' ? `${name} is no longer set.` : `${name} is set: ${setting.value}`
      const record = { name, value: setting.value, source: setting.source }
      return { sentence, record, notes: setting.problem === null ? [] : [`${name} ${setting.problem}.`] }
    }
  },
})

/** An option that isn't set is fine: its feature is hidden. Exits as failed if something's wrong. */
const check = showRow({
  usage: 'check',
  description: 'List settings that are missing or wrong',
  examples: ['check'],
  mayCreate: true,
  read: () => readAll,
  output(settings) {
    const found = settings.filter(({ source, problem }) => source === 'none' || problem !== null)
    const wrong = found.filter(({ problem }) => problem !== null)
    const notes = [
      ...(wrong.length > 0 ? [`${plural(wrong.length, 'setting')} to put right.`] : []),
      ...(wrong.length === 0 && found.length > 0 ? ['Pages leave out what isn’t set.'] : []),
    ]
    return { ...tableOutput(problemsTable, found), notes, hasFailed: wrong.length > 0 }
  },
})

export const settingRows = [list, set, check]

export const registerSettings = registersRows(settingRows)
