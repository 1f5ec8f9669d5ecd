import { type SharedOptions, withClient } from '#cli/client.ts'
import type { Io } from '#cli/io.ts'
import { print, printOutcome, tableOutput } from '#cli/output.ts'
import { confirm } from '#cli/prompt.ts'
import { parseArgument, parseOption, request } from '#cli/request.ts'
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

/** An entry that differs: `before` of `page` became `after`. */
export type Difference = { page: string; entry: string; before: unknown; after: unknown; problem: string | null }

/** Text as it is, all else as JSON. */
const shown = (value: unknown): string =>
  value === null || value === undefined ? '–' : typeof value === 'string' ? value : JSON.stringify(value)

export const differencesTable: Table<Difference> = {
  title: 'Changed words',
  empty: 'Nothing was changed: the pages show the texts of the files.',
  columns: [
    { title: 'PAGE', text: ({ page }) => page },
    { title: 'ENTRY', text: ({ entry }) => entry || '(all of it)', minWidth: 12 },
    { title: 'BEFORE', text: ({ before }) => shown(before), minWidth: 12, tone: () => 'muted' },
    {
      title: 'NOW',
      text: ({ after, problem }) => (problem === null ? shown(after) : `does not fit: ${problem}`),
      minWidth: 12,
    },
  ],
  csv: [
    ...csvFields<'page' | 'entry' | 'problem'>(['page', 'entry', 'problem']),
    { name: 'before', cell: ({ before }) => shown(before) },
    { name: 'after', cell: ({ after }) => shown(after) },
  ],
}

export const toDifference = (page: string, { entry, value, original, problem }: ContentOverride): Difference => ({
  ...{ page, entry, before: original, after: value, problem },
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

type ResetOptions = SharedOptions & { yes?: true }

export async function resetContent(
  io: Io,
  { yes, ...options }: ResetOptions,
  given: { page: string; entry: string | undefined },
): Promise<void> {
  const page = parseArgument(ContentPage, given.page)
  const entry = parseArgument(EntryName, given.entry ?? '')
  const tell = (reset: number, sentence: string) =>
    printOutcome(io, options, { record: { page, entry, reset }, sentence })
  await withClient(
    io,
    options,
    async ({ api }) => {
      const { version, overrides } = await request(ContentPageState, api.admin.content({ page }).get())
      const concerned = overrides.filter((one) => isWithin(one.entry, entry) || isWithin(entry, one.entry))
      if (concerned.length === 0) return tell(0, 'Nothing is changed there.')
      const what = plural(concerned.length, 'changed entry', 'changed entries')
      await confirm(io, `Bring back the file’s words for ${what} of ${page}?`, yes === true)
      await request(ContentPageState, api.admin.content({ page }).reset.post({ version, entry }))
      const sentence = `${page} says what its file says${entry === '' ? '' : `, in ${entry}`}.`
      await tell(concerned.length, sentence)
    },
    { mayCreate: true },
  )
}
