import { type SharedOptions, withClient } from '#cli/client.ts'
import type { Io } from '#cli/io.ts'
import { print, tableOutput } from '#cli/output.ts'
import { parseArgument, parseOption, request } from '#cli/request.ts'
import { changeRow } from '#cli/rows.ts'
import { csvFields, type Table } from '#cli/table.ts'
import {
  ContentChangeList,
  type ContentOverride,
  ContentPage,
  ContentPageState,
  EntryName,
} from '#shared/contract/admin-content.ts'
import { isWithin } from '#shared/rules/overrides.ts'
import { plural } from '#shared/rules/plural.ts'

export type Difference = { page: string; entry: string; before: unknown; after: unknown; problem: string | null }

const shown = (value: unknown): string =>
  value === null || value === undefined ? '–' : typeof value === 'string' ? value : JSON.stringify(value)

export const differencesTable: Table<Difference> = {
  title: 'Changed content',
  empty: 'Nothing’s been changed: pages show the files’ own text.',
  columns: [
    { title: 'PAGE', text: ({ page }) => page },
    { title: 'ENTRY', text: ({ entry }) => entry || '(all of it)', minWidth: 12 },
    { title: 'BEFORE', text: ({ before }) => shown(before), minWidth: 12, tone: () => 'muted' },
    {
      title: 'NOW',
      text: ({ after, problem }) => (problem === null ? shown(after) : `doesn’t fit: ${problem}`),
      minWidth: 12,
    },
  ],
  csv: [
    ...csvFields<'page' | 'entry' | 'problem'>(['page', 'entry', 'problem']),
    { name: 'before', cell: ({ before }) => shown(before) },
    { name: 'after', cell: ({ after }) => shown(after) },
  ],
}

const resetTable: Table<Difference> = {
  ...differencesTable,
  title: 'Text that comes back',
  empty: 'Nothing’s been changed there.',
}

export const toDifference = (page: string, { entry, value, original, problem }: ContentOverride): Difference => ({
  page,
  entry,
  before: original,
  after: value,
  problem,
})

export async function listChanges(io: Io, options: SharedOptions, given: string | undefined): Promise<void> {
  const page = parseOption(ContentPage, given)
  const all = await withClient(io, options, ({ api }) => request(ContentChangeList, api.admin.content.get()), {
    mayCreate: true,
  })
  const rows = all
    .filter((one) => page === undefined || one.page === page)
    .flatMap((one) => one.overrides.map((override) => toDifference(one.page, override)))
  await print(io, options, tableOutput(differencesTable, rows))
}

type ResetFacts = { page: ContentPage; entry: string; version: number; entries: string[] }

export const resetRow = changeRow<ResetFacts>({
  usage: 'reset <page> [entry]',
  description: 'Reset a page, or one entry of it, to the file’s own text',
  examples: ['reset about --dry-run', 'reset about', 'reset home hero.promises'],
  asks: true,
  mayCreate: true,
  plan({ argument }) {
    const page = parseArgument(ContentPage, argument(0))
    const entry = parseArgument(EntryName, argument(1))
    return async ({ api }) => {
      const { version, overrides } = await request(ContentPageState, api.admin.content({ page }).get())
      const concerned = overrides.filter((one) => isWithin(one.entry, entry) || isWithin(entry, one.entry))
      const back = concerned.map((one) => ({ ...toDifference(page, one), before: one.value, after: one.original }))
      const what = plural(concerned.length, 'changed entry', 'changed entries')
      return {
        facts: { page, entry, version, entries: concerned.map((one) => one.entry) },
        output: tableOutput(
          resetTable,
          back.map((one) => ({ ...one, problem: null })),
        ),
        question: concerned.length === 0 ? null : `Reset to the file’s own text: ${what} of ${page}?`,
      }
    }
  },
  apply:
    (_call, { page, entry, version, entries }) =>
    async ({ api }) => {
      const record = { page, entry, reset: entries.length }
      if (entries.length === 0) return { record, sentence: 'Nothing’s been changed there.' }
      await request(ContentPageState, api.admin.content({ page }).reset.post({ version, entry }))
      return { record, sentence: `${page} has its file’s own text again${entry === '' ? '' : `, in ${entry}`}.` }
    },
})
