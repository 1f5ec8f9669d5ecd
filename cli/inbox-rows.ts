import { emptyLabel, personLabel, timeLabel } from '#cli/labels.ts'
import type { InboxKind } from '#shared/contract/inbox.ts'
import { type InboxNote, InboxNoteList, InvitationResponse } from '#shared/contract/inbox.ts'
import { TierSlug } from '#shared/contract/tier.ts'
import type { Client } from './connection.ts'
import { csvOfRecord, linkOutput, type Output, sectionsOutput, tableOutput } from './output.ts'
import { parseArgument, request, requireText } from './request.ts'
import { type Call, type CommandRow, changeRow, type OptionRow, showRow } from './rows.ts'
import { csvFields, type Table } from './table.ts'

/** Who an owner's note is about, found by what was typed. */
export type Subject = { id: string; name: string; email: string }

type About = {
  kind(call: Call): InboxKind
  options?: readonly OptionRow[]
  /** All by default. Those who aren't waiting for an invitation have no `invite`. */
  rows?: readonly ('notes' | 'note' | 'reply' | 'invite')[]
  argument: string
  example: string
  find(call: Call): (client: Client) => Promise<Subject>
}

const notesTable: Table<InboxNote> = {
  title: 'Notes',
  empty: 'No notes yet.',
  columns: [
    { title: 'WHEN', text: ({ createdAt }) => timeLabel(createdAt), tone: () => 'muted', dropOrder: 1 },
    {
      title: 'KIND',
      text: ({ kind, mailStatus }) => (mailStatus === null ? kind : `${kind}, ${mailStatus}`),
      dropOrder: 3,
    },
    { title: 'BY', text: ({ author }) => author ?? emptyLabel, minWidth: 8, dropOrder: 2 },
    { title: 'TEXT', text: ({ text }) => text, minWidth: 16, identifies: true },
  ],
  csv: csvFields(['id', 'kind', 'author', 'mailStatus', 'createdAt', 'text']),
}

/** The commands to read and write notes, reply by email and invite to a tier, for everything owners write about. */
export function inboxRows(about: About): CommandRow[] {
  const rows = { notes: notesRow, note: noteRow, reply: replyRow, invite: inviteRow }
  return (about.rows ?? (['notes', 'note', 'reply', 'invite'] as const)).map((name) => rows[name](about))
}

const notesRow = ({ kind, options = [], argument, example, find }: About) =>
  showRow({
    usage: `notes <${argument}>`,
    description: 'List owners’ notes and emails',
    options,
    examples: [`notes ${example}`],
    read: (call) => {
      const subject = find(call)
      return async (client) => {
        const { id } = await subject(client)
        return request(
          InboxNoteList,
          client.api.admin
            .inbox({ kind: kind(call) })({ id })
            .notes.get(),
        )
      }
    },
    output: (notes) => tableOutput(notesTable, notes),
  })

type Written = Subject & { text: string }

const noteRow = ({ kind, options = [], argument, example, find }: About) =>
  changeRow<Written>({
    usage: `note <${argument}> <text>`,
    description: 'Write a note only owners see',
    options,
    examples: [`note ${example} "Asked to be called on Monday"`],
    plan: (call) => planText(call, find),
    apply:
      (call, { id, name, text }) =>
      async ({ api }) => {
        const notes = await request(
          InboxNoteList,
          api.admin
            .inbox({ kind: kind(call) })({ id })
            .notes.post({ text }),
        )
        return { sentence: `Noted about ${name}.`, record: { id, notes: notes.length } }
      },
  })

const replyRow = ({ kind, options = [], argument, example, find }: About) =>
  changeRow<Written>({
    usage: `reply <${argument}> <text>`,
    description: 'Email them, and keep a copy',
    options,
    examples: [`reply ${example} "We will call you on Monday." --dry-run`],
    asks: true,
    plan: (call) => planText(call, find),
    apply:
      (call, { id, email, text }) =>
      async ({ api }) => {
        const body = { text, wish: Bun.randomUUIDv7() }
        await request(
          InboxNoteList,
          api.admin
            .inbox({ kind: kind(call) })({ id })
            .reply.post(body),
        )
        return { sentence: `The email to ${email} is on its way.`, record: { id, email } }
      },
  })

function planText(call: Call, find: About['find']) {
  const subject = find(call)
  const text = requireText(call.argument(1), 'Write some text.')
  return async (client: Client) => {
    const { id, name, email } = await subject(client)
    const facts = { id, name, email, text }
    return { facts, output: textOutput(facts), question: `Email ${personLabel({ name, email })}: “${text}”?` }
  }
}

const textOutput = (facts: Written): Output =>
  sectionsOutput({ json: facts, csv: () => csvOfRecord(facts) }, [
    {
      title: 'Plan',
      details: [
        { label: 'To', value: personLabel(facts) },
        { label: 'Text', value: facts.text },
      ],
    },
  ])

type Invited = Subject & { tier: TierSlug }

const inviteRow = ({ kind, options = [], argument, example, find }: About) =>
  changeRow<Invited>({
    usage: `invite <${argument}> <tier>`,
    description: 'Email and print a signed link to join at a tier (lite, standard, xl)',
    options,
    examples: [`invite ${example} xl --dry-run`, `invite ${example} xl`],
    asks: true,
    plan(call) {
      const subject = find(call)
      const tier = parseArgument(TierSlug, call.argument(1).toLowerCase())
      return async (client) => {
        const { id, name, email } = await subject(client)
        const facts = { id, name, email, tier }
        const details = [
          { label: 'To', value: personLabel(facts) },
          { label: 'Tier', value: tier },
        ]
        const output = sectionsOutput({ json: facts, csv: () => csvOfRecord(facts) }, [{ title: 'Plan', details }])
        return { facts, output, question: `Email ${personLabel(facts)} an invitation to ${tier}?` }
      }
    },
    apply:
      (call, { id, email, tier: tierSlug }) =>
      async ({ api }) => {
        const invited = await request(
          InvitationResponse,
          api.admin
            .inbox({ kind: kind(call) })({ id })
            .invitation.post({ tierSlug }),
        )
        return linkOutput({ email, ...invited }, invited.url, { email, ...invited })
      },
  })
