import type { Client } from './connection.ts'
import { csvOfRecord, sectionsOutput } from './output.ts'
import { type Call, type CommandRow, changeRow } from './rows.ts'

type Shown = { id: string; title: string; isPublished: boolean; version: number }

type Kind = {
  what: string
  argument: string
  example: string
  find(call: Call): (client: Client) => Promise<Shown>
  publish(client: Client, change: { id: string; isPublished: boolean; version: number }): Promise<unknown>
  remove(client: Client, shown: { id: string; version: number }): Promise<unknown>
}

/** Publishing, hiding and removing, the same for videos and posts. Never overwrites another owner's change. */
export const shownRows = (kind: Kind): CommandRow[] => [
  publishRow(kind, true),
  publishRow(kind, false),
  removeRow(kind),
]

/** The options already say everything about adding or changing, so there's nothing to show first and no question. */
export const plannedWriting = <Facts extends object>(facts: Facts) => ({
  facts,
  question: null,
  output: sectionsOutput({ json: facts, csv: () => csvOfRecord({}) }, []),
})

function planOf(shown: Shown, change: string, question: string) {
  const { id, title, isPublished, version } = shown
  const facts = { id, title, isPublished, version }
  const details = [
    { label: 'Title', value: title },
    { label: 'Now', value: isPublished ? 'published' : 'not published' },
    { label: 'Then', value: change },
  ]
  return {
    facts,
    output: sectionsOutput({ json: facts, csv: () => csvOfRecord(facts) }, [{ title: 'Plan', details }]),
    question,
  }
}

function publishRow({ what, argument, example, find, publish }: Kind, isPublished: boolean): CommandRow {
  const name = isPublished ? 'publish' : 'hide'
  return changeRow<Shown>({
    usage: `${name} <${argument}>`,
    description: isPublished ? `Show a ${what} on the site` : `Take a ${what} off the site; it is kept`,
    examples: [`${name} ${example}`],
    plan: (call) => {
      const read = find(call)
      return async (client) => planOf(await read(client), isPublished ? 'published' : 'not published', '')
    },
    apply:
      (_call, { id, title, version, isPublished: before }) =>
      async (client) => {
        const record = { id, title, isPublished }
        const state = isPublished ? 'published' : 'not published'
        if (before === isPublished) return { sentence: `${title} is ${state} already.`, record }
        await publish(client, { id, isPublished, version })
        return { sentence: `${title} is ${state} now.`, record }
      },
  })
}

const removeRow = ({ what, argument, example, find, remove }: Kind): CommandRow =>
  changeRow<Shown>({
    usage: `remove <${argument}>`,
    description: `Permanently delete a ${what}`,
    examples: [`remove ${example} --dry-run`, `remove ${example}`],
    asks: true,
    plan: (call) => {
      const read = find(call)
      return async (client) => {
        const shown = await read(client)
        return planOf(shown, 'removed for good', `Remove the ${what} “${shown.title}” for good?`)
      }
    },
    apply: (_call, shown) => async (client) => {
      await remove(client, shown)
      return { sentence: `${shown.title} is removed.`, record: { id: shown.id } }
    },
  })
