import { type SharedOptions, withClient } from '#cli/client.ts'
import type { Client } from '#cli/connection.ts'
import { type Draft as EditedFile, openEditor, openDraft as openFile, readFrom } from '#cli/editor.ts'
import { CliError, exitCodes, usageError } from '#cli/exit-codes.ts'
import { type Io, notify } from '#cli/io.ts'
import { isForScript, note, print, printOutcome, tableOutput } from '#cli/output.ts'
import { confirm, promptLine } from '#cli/prompt.ts'
import { parseArgument, request } from '#cli/request.ts'
import { ContentPage, ContentPageState, contentSchemas, EntryName } from '#shared/contract/admin-content.ts'
import { fieldAt, fieldOf, listsIn } from '#shared/contract/text-fields.ts'
import { boundsText } from '#shared/rules/list-bounds.ts'
import { entryAt, isSame, overridesBetween } from '#shared/rules/overrides.ts'
import { plural } from '#shared/rules/plural.ts'
import { differencesTable } from './diff.ts'

type EditOptions = SharedOptions & { from?: string; yes?: true }
type Entry = { page: ContentPage; entry: string }

export async function editContent(
  io: Io,
  options: EditOptions,
  given: { page: string; entry: string | undefined },
): Promise<void> {
  const page = parseArgument(ContentPage, given.page)
  const entry = parseArgument(EntryName, given.entry ?? '')
  if (options.from === undefined && !io.isTTY.stdin) throw usageError('Without a terminal, use --from <file>.')
  await withClient(io, options, (client) => editEntry(io, options, client, { page, entry }), { mayCreate: true })
}

async function editEntry(io: Io, options: EditOptions, client: Client, { page, entry }: Entry): Promise<void> {
  const state = await request(ContentPageState, client.api.admin.content({ page }).get())
  const before = entryAt(state.value, entry)
  const draft = openDraft(io, { page, entry }, before)
  if (options.from === undefined) await sayBounds(io, { page, entry })
  try {
    const value = await writeUntilItFits(io, options, draft, (value) =>
      request(
        ContentPageState,
        client.api.admin.content({ page }).put({ version: state.version, entry, value, isTrial: true }),
      ),
    )
    if (isSame(before, value)) return await note(io, options, 'Nothing changed.')
    const differences = overridesBetween(before, value, entry).map((one) => ({
      page,
      entry: one.entry,
      before: entryAt(state.value, one.entry),
      after: one.value,
      problem: null,
    }))
    if (!isForScript(options)) await print(io, options, tableOutput(differencesTable, differences))
    await confirm(io, `Put ${plural(differences.length, 'change')} on the site?`, options.yes === true)
    const saved = await request(
      ContentPageState,
      client.api.admin.content({ page }).put({ version: state.version, entry, value, isTrial: false }),
    )
    const sentence = `${page} is on the site now.`
    await printOutcome(io, options, { record: { page, entry, version: saved.version }, sentence })
    draft.remove()
  } catch (error) {
    if (draft.isWritten()) await notify(io, `What you wrote is kept in ${draft.file}.`)
    else draft.remove()
    throw error
  }
}

/** The editor takes the whole terminal, so what fits is said before it opens. */
async function sayBounds(io: Io, { page, entry }: Entry): Promise<void> {
  const field = fieldAt(fieldOf(contentSchemas[page]), entry)
  for (const [name, { least, most }] of field === null ? [] : listsIn(field, entry)) {
    const bounds = boundsText(least, most)
    if (bounds !== '') await notify(io, `${name}: ${bounds.toLowerCase()}`)
  }
}

type Draft = EditedFile & { isText: boolean }

function openDraft(io: Io, { page, entry }: Entry, value: unknown): Draft {
  if (value === undefined) throw new CliError(exitCodes.notFound, `${page} has no entry ${entry}.`)
  const isText = typeof value === 'string'
  const name = `${[page, entry].filter(Boolean).join('.')}.${isText ? 'md' : 'json'}`
  return { ...openFile(io, name, isText ? `${value}\n` : `${JSON.stringify(value, null, 2)}\n`), isText }
}

type Try = (value: unknown) => Promise<unknown>

/** Opens the editor, again and again with what's wrong, until the text is accepted or the person gives up. */
async function writeUntilItFits(io: Io, options: EditOptions, draft: Draft, tryOut: Try): Promise<unknown> {
  for (;;) {
    const text = options.from === undefined ? await openEditor(io, draft.file) : await readFrom(io, options.from)
    const problems = await findProblems(draft, text, tryOut)
    if ('value' in problems) return problems.value
    if (options.from !== undefined) throw usageError(`It doesn’t fit: ${problems.lines.join('; ')}`)
    await notify(io, 'It doesn’t fit:')
    for (const line of problems.lines) await notify(io, `  ${line}`)
    const answer = await promptLine(io, 'Press Enter to edit again, or type "no" to give up: ')
    if (answer.trim() !== '') throw new CliError(exitCodes.cancelled, 'Nothing changed.')
  }
}

async function findProblems(
  { isText }: Draft,
  text: string,
  tryOut: Try,
): Promise<{ value: unknown } | { lines: string[] }> {
  const read = isText ? { value: text.trimEnd() } : parseJson(text)
  if ('lines' in read) return read
  try {
    await tryOut(read.value)
    return read
  } catch (error) {
    const fields = error instanceof CliError ? Object.entries(error.fields) : []
    if (fields.length === 0) throw error
    return { lines: fields.map(([entry, message]) => `${entry}: ${message}`) }
  }
}

function parseJson(text: string): { value: unknown } | { lines: string[] } {
  try {
    return { value: JSON.parse(text) }
  } catch (error) {
    return { lines: [`This isn’t JSON: ${error instanceof Error ? error.message : String(error)}`] }
  }
}
