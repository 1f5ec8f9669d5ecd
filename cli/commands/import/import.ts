import { resolve } from 'node:path'
import * as v from 'valibot'
import type { Client } from '#cli/connection.ts'
import { usageError } from '#cli/exit-codes.ts'
import { findEntry } from '#cli/find-entry.ts'
import { timeLabel } from '#cli/labels.ts'
import { csvOfRecord, sectionsOutput } from '#cli/output.ts'
import { parseOption, request, requestPage } from '#cli/request.ts'
import { type Call, changeRow, listRow, type OptionRow, registersRows, showRow } from '#cli/rows.ts'
import {
  Import,
  ImportLetters,
  ImportLettersSent,
  ImportList,
  ImportOptions,
  memberImportFields,
} from '#shared/contract/imports.ts'
import { TierSlug } from '#shared/contract/tier.ts'
import { importNoun, importSentence, importStateLabels, isOfPeople, payingAdvice } from '#shared/rules/imports.ts'
import { plural } from '#shared/rules/plural.ts'
import { allRow } from './all.ts'
import { importOutput, importsTable } from './output.ts'
import { applyPlanned, fileImportRow, plannedOf } from './planned.ts'
import { stripe } from './stripe.ts'
import { postsRow, videosRow } from './words.ts'
import { finishWork } from './work.ts'

const mapOption: OptionRow = [
  '--map <field=column>',
  `which column fills a field, if we guess wrong (repeat it). Fields: ${memberImportFields.join(', ')}`,
  'repeats',
]

const members = fileImportRow({
  kind: 'members',
  usage: 'members <file>',
  description: 'Move members in from a CSV of Kajabi, Memberful, Ghost, WordPress or a spreadsheet',
  options: [
    mapOption,
    ['--tier <tier>', 'the tier for people who’ve paid elsewhere until a day, where their plan doesn’t say'],
    [
      '--plan <plan=tier>',
      'which tier one of the file’s plans is, or none if it isn’t a membership (repeat it)',
      'repeats',
    ],
    ['--keep-notes', 'keep tags and columns we have no field for as a note'],
  ],
  examples: [
    'members members.csv --dry-run',
    'members people.csv --map "email=E-post" --map "paidUntil=Renews" --tier standard',
    'members people.csv --plan "Coaching Annual=xl" --plan "Workshop=none"',
  ],
  read: (call) => ({
    options: memberOptions(call),
    file: () => ({ path: resolve(call.io.cwd, call.argument(0)) }),
  }),
})

const Pair = v.pipe(
  v.string(),
  v.regex(/^\w+=.*$/, 'Name a field and a column, such as "email=E-post".'),
  v.transform((text): [string, string] => [text.slice(0, text.indexOf('=')), text.slice(text.indexOf('=') + 1)]),
)

const PlanPair = v.pipe(
  v.string(),
  v.regex(/^.+=[a-z0-9-]+$/, 'Give a plan and its tier, such as "Coaching Annual=xl".'),
  v.transform((text): [string, string] => [
    text.slice(0, text.lastIndexOf('=')).trim(),
    text.slice(text.lastIndexOf('=') + 1),
  ]),
)

function memberOptions({ options, option }: Call): ImportOptions {
  const given = Array.isArray(options.map) ? options.map : []
  const columns = Object.fromEntries(given.map((text) => parseOption(Pair, text, '--map') ?? ['', '']))
  const unknown = Object.keys(columns).find((name) => !memberImportFields.some((field) => field === name))
  if (unknown !== undefined)
    throw usageError(`There’s no field ${unknown}. There are: ${memberImportFields.join(', ')}.`)
  const tier = parseOption(TierSlug, option('tier'), '--tier') ?? null
  const plans = Array.isArray(options.plan) ? options.plan : []
  const tiers = Object.fromEntries(plans.map((text) => parseOption(PlanPair, text, '--plan') ?? ['', '']))
  return v.parse(ImportOptions, { columns, tier, tiers, keepsNotes: options.keepNotes === true })
}

const pagesOf = ({ api }: Client) => requestPage(ImportList, api.admin.imports.get())

const list = listRow<Import>({
  usage: 'list',
  description: 'List what was moved in or planned, newest first',
  examples: ['list', 'list --json'],
  table: importsTable,
  pages: () => (client) => pagesOf(client),
})

const importNamed = (client: Client, given: string) =>
  findEntry<Import>(client, {
    noun: 'import',
    given,
    matches: ({ fileName }, wanted) => fileName?.toLowerCase() === wanted,
    isOver: ({ state }) => state === 'undone' || state === 'cancelled',
    about: ({ createdAt, state }) => `(${timeLabel(createdAt)}, ${importStateLabels[state].toLowerCase()})`,
    pages: (from) => pagesOf(from),
  })

const show = showRow({
  usage: 'show <id-or-file>',
  description: 'Show a plan or report, with the rows that can’t be taken',
  examples: ['show members.csv', 'show members.csv --csv'],
  read:
    ({ argument }) =>
    async (client) =>
      importOutput(client, await importNamed(client, argument(0))),
  output: (output) => output,
})

const apply = changeRow<Import>({
  usage: 'apply <id-or-file>',
  description: 'Do a plan',
  examples: ['apply members.csv'],
  asks: true,
  plan:
    ({ argument }) =>
    async (client) =>
      plannedOf(client, await importNamed(client, argument(0))),
  apply: applyPlanned,
})

const cancel = changeRow<Import>({
  usage: 'cancel <id-or-file>',
  description: 'Drop a plan and delete its file',
  examples: ['cancel members.csv'],
  asks: true,
  plan:
    ({ argument }) =>
    async (client) => {
      const facts = await importNamed(client, argument(0))
      const isOpen = facts.state === 'planning' || facts.state === 'planned'
      const says = isOpen ? 'We’ll drop this plan and delete its file. Nothing’s changed yet.' : undefined
      const question = isOpen ? 'Drop this plan and delete its file?' : null
      return { facts, output: await importOutput(client, facts, says), question }
    },
  apply:
    (_call, { id }) =>
    async ({ api }) => {
      const done = await request(Import, api.admin.imports({ id }).cancel.post())
      return { sentence: importSentence(done), record: { id } }
    },
})

/** Someone who's had a letter will wonder why they can't log in. */
async function writtenTo({ api }: Client, { id, kind, state }: Import): Promise<string> {
  if (!isOfPeople(kind) || state !== 'applied') return ''
  const { written } = await request(ImportLetters, api.admin.imports({ id }).letters.get())
  return written === 0 ? '' : `You’ve emailed ${plural(written, 'person', 'people')} how to log in. `
}

const undo = changeRow<Import>({
  usage: 'undo <id-or-file>',
  description: 'Take out again what an import made, except what’s been used since',
  examples: ['undo members.csv --dry-run', 'undo members.csv'],
  asks: true,
  plan:
    ({ argument }) =>
    async (client) => {
      const facts = await importNamed(client, argument(0))
      if (facts.state !== 'applied' && facts.state !== 'applying')
        return { facts, output: await importOutput(client, facts), question: null }
      const made = importNoun(facts, facts.counts.new - facts.failed)
      const written = await writtenTo(client, facts)
      const says = `${written}We’ll take out ${made} again, except what’s been used since. Nothing’s changed yet.`
      return { facts, output: await importOutput(client, facts, says), question: `${written}Take out ${made} again?` }
    },
  apply:
    ({ io, options }, { id }) =>
    async (client) => {
      const begun = await request(Import, client.api.admin.imports({ id }).undo.post())
      const done = await finishWork(io, options, client, begun)
      return { sentence: importSentence(done), record: { id, undone: done.undone, kept: done.kept } }
    },
})

type Letters = { id: string; count: number; isAgain: boolean; letters: ImportLetters }

const write = changeRow<Letters>({
  usage: 'write <id-or-file>',
  description: 'Email the people who moved in how to log in, a batch at a time',
  options: [
    ['--count <people>', 'how many at most (50)'],
    ['--again', 'a second letter to people who haven’t logged in within a week'],
  ],
  examples: ['write members.csv --dry-run', 'write members.csv --count 200', 'write members.csv --again'],
  asks: true,
  plan({ argument, option, options }) {
    const count = parseOption(Count, option('count'), '--count') ?? 50
    const isAgain = options.again === true
    return async (client) => {
      const { id } = await importNamed(client, argument(0))
      const letters = await request(ImportLetters, client.api.admin.imports({ id }).letters.get())
      const waiting = Math.min(count, isAgain ? letters.due : letters.unwritten)
      const question = waiting === 0 ? null : `Send ${plural(waiting, 'email')}?`
      return { facts: { id, count, isAgain, letters }, output: lettersOutput(letters), question }
    }
  },
  apply:
    (_call, { id, count, isAgain }) =>
    async ({ api }) => {
      const { sent } = await request(ImportLettersSent, api.admin.imports({ id }).letters.post({ count, isAgain }))
      return { sentence: `${plural(sent, 'email')} on the way.`, record: { id, sent } }
    },
})

const Count = v.pipe(v.string(), v.regex(/^\d{1,4}$/, 'Give a number up to 5,000.'), v.transform(Number))

function lettersOutput(letters: ImportLetters) {
  const { subject, text, ...counts } = letters
  const details = [
    { label: 'People moved in', value: String(counts.people) },
    { label: 'Not written to yet', value: String(counts.unwritten) },
    { label: 'Written to', value: String(counts.written) },
    { label: 'Bounced', value: String(counts.bounced) },
    { label: 'Have logged in', value: String(counts.arrived) },
    { label: 'Can’t get in yet', value: String(counts.withoutAccess) },
    { label: 'Due a second letter', value: String(counts.due) },
    { label: 'Subject', value: subject },
  ]
  return sectionsOutput({ json: letters, csv: () => csvOfRecord(counts) }, [
    { title: 'Letters', details, note: counts.withoutAccess === 0 ? text : `${text}\n\n${payingAdvice}` },
  ])
}

export const importRows = [members, stripe, postsRow, videosRow, allRow, list, show, apply, cancel, undo, write]

export const registerImport = registersRows(importRows)
