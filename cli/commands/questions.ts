import type { Client } from '#cli/connection.ts'
import { CliError, exitCodes } from '#cli/exit-codes.ts'
import { findEntry } from '#cli/find-entry.ts'
import { emptyLabel, timeLabel } from '#cli/labels.ts'
import type { PageQuery } from '#cli/list.ts'
import { csvOfRecord, isForScript, recordOutput, sectionsOutput } from '#cli/output.ts'
import { parseArgument, request, requestPage, withoutUnset } from '#cli/request.ts'
import { type Call, type CommandRow, changeRow, listRow, registersRows, showRow } from '#cli/rows.ts'
import type { Detail, Table } from '#cli/table.ts'
import { Done } from '#shared/contract/auth.ts'
import {
  type InboxQuestion,
  InboxQuestionList,
  InboxQuestionQuery,
  type Question,
  QuestionAnswer,
  type QuestionMessage,
  QuestionRecord,
  type QuestionState,
  questionFilters,
} from '#shared/contract/questions.ts'
import { isShortReference, isUuidV7, shortReference } from '#shared/rules/id.ts'
import { plural } from '#shared/rules/plural.ts'
import { videoAskedAt } from '#shared/rules/video.ts'

const stateLabels: Record<QuestionState, string> = {
  sent: 'not answered',
  read: 'not answered, read',
  answered: 'answered',
  closed: 'closed',
  withdrawn: 'withdrawn',
}

const isWaiting = ({ state }: { state: QuestionState }) => state === 'sent' || state === 'read'

const filesText = ({ photos, voiceNotes }: Pick<InboxQuestion, 'photos' | 'voiceNotes'>) =>
  [
    ...(photos === 0 ? [] : [plural(photos, 'photo')]),
    ...(voiceNotes === 0 ? [] : [plural(voiceNotes, 'voice note')]),
  ].join(', ')

const asked = (question: InboxQuestion) => question.excerpt || filesText(question) || emptyLabel

const questionsTable: Table<InboxQuestion> = {
  isOfPeople: true,
  title: 'Questions',
  empty: 'No questions.',
  columns: [
    { title: 'REFERENCE', text: ({ id }) => shortReference(id), identifies: true },
    { title: 'NAME', text: ({ member }) => member.name, minWidth: 10, dropOrder: 1 },
    { title: 'TIER', text: ({ member }) => member.tier ?? emptyLabel, dropOrder: 5 },
    { title: 'QUESTION', text: asked, minWidth: 16 },
    { title: 'ABOUT', text: ({ video }) => video?.title ?? emptyLabel, minWidth: 8, dropOrder: 4 },
    { title: 'STATE', text: ({ state }) => stateLabels[state], dropOrder: 3 },
    {
      title: 'SINCE',
      text: ({ waitsSince, answeredAt, askedAt }) => timeLabel(waitsSince ?? answeredAt ?? askedAt),
      tone: () => 'muted',
      dropOrder: 2,
    },
  ],
  csv: [
    { name: 'id', cell: ({ id }) => id },
    { name: 'name', cell: ({ member }) => member.name },
    { name: 'email', cell: ({ member }) => member.email },
    { name: 'tier', cell: ({ member }) => member.tier ?? '' },
    { name: 'video', cell: ({ video }) => video?.title ?? '' },
    { name: 'excerpt', cell: ({ excerpt }) => excerpt },
    { name: 'photos', cell: ({ photos }) => photos },
    { name: 'voiceNotes', cell: ({ voiceNotes }) => voiceNotes },
    { name: 'state', cell: ({ state }) => state },
    { name: 'askedAt', cell: ({ askedAt }) => askedAt },
    { name: 'waitsSince', cell: ({ waitsSince }) => waitsSince ?? '' },
    { name: 'answeredAt', cell: ({ answeredAt }) => answeredAt ?? '' },
  ],
}

const pages = ({ api }: Client, query: PageQuery & InboxQuestionQuery) =>
  requestPage(InboxQuestionList, api.admin.questions.get({ query }))

const list = listRow({
  usage: 'list',
  description: 'List what members ask, the longest wait first',
  options: [
    ['--show <which>', `${questionFilters.join(', ')} (default: waiting)`],
    ['--search <words>', 'only with these words, or by this person'],
  ],
  examples: ['list', 'list --show answered --search boiler', 'list --show all --csv > questions.csv'],
  table: questionsTable,
  pages(call) {
    const given = withoutUnset({ q: call.option('search'), filter: call.option('show') })
    const query = parseArgument(InboxQuestionQuery, given, { filter: '--show' })
    return (client, page) => pages(client, { ...query, ...page })
  },
})

/** By its reference, or by the member’s address: the one that waits, if there is one. */
function questionNamed(call: Call) {
  const given = call.argument(0)
  const short = isUuidV7(given) ? shortReference(given) : given
  const reference = isShortReference(short) ? { reference: short } : {}
  return async (client: Client): Promise<QuestionRecord> => {
    const { id } = await findEntry<InboxQuestion>(client, {
      noun: 'questions',
      given,
      matches: ({ member }, wanted) => member.email.toLowerCase() === wanted,
      isOver: (question) => !isWaiting(question),
      about: ({ excerpt }) => excerpt.slice(0, 30),
      pages: (one, query) => pages(one, { ...query, ...reference, filter: 'all' }),
    })
    return request(QuestionRecord, client.api.admin.questions({ id }).get())
  }
}

function detailsOf({ question, member }: QuestionRecord): Detail[] {
  const { id, video, call, state, askedAt, mayPublish, publishedAt } = question
  return [
    { label: 'Reference', value: shortReference(id) },
    { label: 'From', value: `${member.name}, ${member.email}` },
    { label: 'Tier', value: member.tier ?? emptyLabel },
    ...(video === null ? [] : [{ label: 'About', value: videoAskedAt(video) }]),
    ...(call === null ? [] : [{ label: 'After', value: `the call on ${timeLabel(call.startsAt)}` }]),
    { label: 'Asked', value: timeLabel(askedAt) },
    { label: 'State', value: stateLabels[state] },
    {
      label: 'Published',
      value: publishedAt === null ? (mayPublish ? 'no (they said you can)' : 'no') : timeLabel(publishedAt),
    },
  ]
}

const fileTexts: Record<QuestionMessage['files'][number]['kind'], string> = { photo: 'Photo', voice: 'Voice note' }

function messageLines({ text, link, files }: QuestionMessage): string[] {
  const attached = files.map(({ kind, state }) => `${fileTexts[kind]}${state === 'ready' ? '' : ` (${state})`}`)
  return [
    ...text.split('\n').filter((line) => line.trim() !== ''),
    ...(link === null ? [] : [`Link: ${link.title}`]),
    ...(attached.length === 0 ? [] : [attached.join(', ')]),
  ]
}

function threadSections(record: QuestionRecord) {
  const { messages } = record.question
  const who = ({ author, name }: QuestionMessage) => (author === 'coach' ? (name ?? 'Coach') : record.member.name)
  const said = messages.map((message) => ({
    title: who(message),
    lines: [`${who(message)}, ${timeLabel(message.at)}:`, ...messageLines(message)],
  }))
  return [{ title: 'Question', details: detailsOf(record) }, ...said]
}

const flatOf = ({ question, member }: QuestionRecord) => ({
  id: question.id,
  email: member.email,
  state: question.state,
  askedAt: question.askedAt,
  answeredAt: question.answeredAt ?? '',
})

/** The member sees that the coach has read it, as from Inbox. A token that may only read shows it all the same. */
const markRead = ({ api }: Client, id: string) =>
  request(Done, api.admin.questions({ id }).read.post()).catch((error) => {
    if (!(error instanceof CliError && error.exitCode === exitCodes.notAllowed)) throw error
  })

const show = showRow({
  usage: 'show <reference-or-email>',
  description: 'Show a question and its answers, and mark it as read (not with --json or --csv)',
  examples: ['show 3C4D-5E6F', 'show sam@example.com --json'],
  read(call) {
    const find = questionNamed(call)
    return async (client) => {
      const record = await find(client)
      if (record.question.state === 'sent' && !isForScript(call.options)) await markRead(client, record.question.id)
      return record
    }
  },
  output: (record) => sectionsOutput({ json: record, csv: () => csvOfRecord(flatOf(record)) }, threadSections(record)),
})

type Answering = { id: string; email: string; asked: string; answer: Omit<QuestionAnswer, 'id'> }

/** The plan holds the question's version: if the member adds something, or another owner answers, it's refused. */
const answer = changeRow<Answering>({
  usage: 'answer <reference-or-email> <words...>',
  description: 'Answer a question and tell the member',
  options: [
    ['--video <id>', 'a video to watch; see: alliance api GET /api/admin/videos'],
    ['--post <slug>', 'a post to read'],
  ],
  examples: [
    'answer 3C4D-5E6F "Bleed the furthest radiator first." --dry-run',
    'answer sam@example.com "It’s all in this post." --post pricing-a-boiler',
  ],
  asks: true,
  plan(call) {
    const find = questionNamed(call)
    const text = call.argument(1)
    const linked = { videoId: call.option('video'), postSlug: call.option('post') }
    return async (client) => {
      const record = await find(client)
      const { id, version } = record.question
      const sent = withoutUnset({ id: Bun.randomUUIDv7(), text, version, ...linked })
      // Facts are the same each time they're made, so a new id isn't one of them.
      const { id: _, ...answered } = parseArgument(QuestionAnswer, sent, { videoId: '--video', postSlug: '--post' })
      const facts = { id, email: record.member.email, asked: firstWords(record.question), answer: answered }
      const details = [
        { label: 'To', value: `${record.member.name}, ${record.member.email}` },
        { label: 'Question', value: facts.asked },
        { label: 'State', value: answeredState(record.question) },
        { label: 'Answer', value: text },
        ...(linked.videoId ? [{ label: 'Video', value: linked.videoId }] : []),
        ...(linked.postSlug ? [{ label: 'Post', value: linked.postSlug }] : []),
      ]
      const output = recordOutput('Plan', details, { id, email: facts.email, text }, facts)
      return { facts, output, question: `Send this to ${record.member.name}?` }
    }
  },
  apply:
    (_call, { id, answer: answered }) =>
    async ({ api }) => {
      const body = { ...answered, id: Bun.randomUUIDv7() }
      const record = await request(QuestionRecord, api.admin.questions({ id }).answers.post(body))
      return { sentence: `Answered. We’ll tell ${record.member.name}.`, record: flatOf(record) }
    },
})

const answeredState = ({ state }: Question) =>
  state === 'closed' ? 'closed, your answer opens it again' : stateLabels[state]

const firstWords = ({ messages }: Question) =>
  messages.findLast(({ author, text }) => author === 'member' && text !== '')?.text ?? emptyLabel

type Closing = { id: string; email: string; version: number }

const close = changeRow<Closing>({
  usage: 'close <reference-or-email>',
  description: 'Close a question. The member can still read it',
  examples: ['close 3C4D-5E6F'],
  plan(call) {
    const find = questionNamed(call)
    return async (client) => {
      const record = await find(client)
      const { id, version } = record.question
      const facts = { id, email: record.member.email, version }
      const output = recordOutput('Plan', detailsOf(record), { id, email: facts.email }, facts)
      return { facts, output, question: null }
    }
  },
  apply:
    (_call, { id, version }) =>
    async ({ api }) => {
      const record = await request(QuestionRecord, api.admin.questions({ id }).close.post({ version }))
      return { sentence: `Closed the question from ${record.member.name}.`, record: flatOf(record) }
    },
})

export const questionRows: readonly CommandRow[] = [list, show, answer, close]

export const registerQuestions = registersRows(questionRows)
