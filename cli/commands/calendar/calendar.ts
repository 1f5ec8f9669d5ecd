import type { Command } from 'commander'
import * as v from 'valibot'
import { type SharedOptions, withClient } from '#cli/client.ts'
import type { Client } from '#cli/connection.ts'
import { examples } from '#cli/help.ts'
import type { Io } from '#cli/io.ts'
import { emptyLabel, timeLabel } from '#cli/labels.ts'
import { linkOutput, note, print, printOutcome, recordSheet, sectionsOutput, tableOutput } from '#cli/output.ts'
import { parseArgument, parseOption, request, withoutUnset } from '#cli/request.ts'
import { type CommandRow, changeRow, registerRows, showRow } from '#cli/rows.ts'
import { csvFields, type FlatRecord, type Table } from '#cli/table.ts'
import { Done } from '#shared/contract/auth.ts'
import {
  AdminCall,
  AdminCallList,
  CallAgreementRequest,
  callNames,
  MoveCallRequest,
} from '#shared/contract/calendar.ts'
import { CoachId } from '#shared/contract/call-slot.ts'
import { Day, Id } from '#shared/contract/fields.ts'
import { CallAgreement } from '#shared/contract/member-calls.ts'
import { CallFeedList, CallFeedResponse } from '#shared/contract/owner-calendar.ts'
import { londonInstant } from '#shared/rules/london.ts'
import { registerSetup } from './setup.ts'

type Options = SharedOptions & {
  coach?: string
  revoke?: string
  renew?: string
}

export function registerCalendar(calendar: Command, io: Io): void {
  registerSetup(calendar, io)
  registerCalls(calendar, io)
  calendar
    .command('feed')
    .description('Make a secret address by which a calendar program reads the booked calls, list them or end one')
    .option('--coach <id>', 'only the calls of this coach')
    .option('--list', 'list the addresses there are')
    .option('--renew <id>', 'give an address another secret; the old one stops working')
    .option('--revoke <id>', 'end an address')
    .addHelpText('after', examples('calendar feed --coach coach-1', 'calendar feed --list'))
    .action((_own, command: Command) => manageFeeds(io, command.optsWithGlobals()))
}

function registerAgreed(calls: Command, io: Io): void {
  calls
    .command('agreed <id> [words...]')
    .description('Print what was agreed in a member’s call, or write it; empty words take it away')
    .addHelpText(
      'after',
      examples(
        `${calls.name()} agreed 019a0000-0000-7000-8000-000000000000`,
        `${calls.name()} agreed 019a0000-0000-7000-8000-000000000000 "Raise the day rate by Friday"`,
      ),
    )
    .action((...[id, words, , command]: [string, string[], unknown, Command]) =>
      writeAgreed(io, command.optsWithGlobals(), { id, words }),
    )
}

/** Of `calendar` and, as people look for them, of `calls`. */
export function registerCalls(calls: Command, io: Io): void {
  registerAgreed(calls, io)
  registerRows(calls, io, callRows)
}

const callsTable: Table<AdminCall> = {
  title: 'Calls',
  empty: 'No call is booked.',
  columns: [
    { title: 'ID', text: ({ id }) => id, minWidth: 36, dropOrder: 3 },
    { title: 'WHEN', text: ({ startsAt }) => timeLabel(startsAt) },
    { title: 'MINUTES', text: ({ minutes }) => String(minutes), align: 'right', dropOrder: 4 },
    { title: 'CALL', text: ({ kind }) => callNames[kind], dropOrder: 2 },
    { title: 'COACH', text: ({ coach }) => coach },
    { title: 'NAME', text: ({ name }) => name, minWidth: 10 },
    { title: 'PHONE', text: ({ phone }) => phone ?? emptyLabel, dropOrder: 1 },
  ],
  csv: csvFields(
    ['id', 'startsAt', 'minutes', 'kind', 'coach', 'coachName', 'name', 'email', 'phone', 'status'],
    ['notes'],
  ),
}

const list = showRow({
  usage: 'list',
  description: 'List booked calls, the next ones by default',
  options: [
    ['--coach <id>', 'only those of this coach'],
    ['--from <day>', 'from this day on, as 2026-06-15 (default: today)'],
    ['--to <day>', 'up to this day'],
  ],
  examples: ['list', 'list --coach coach-1 --from 2026-06-15 --to 2026-06-19'],
  read({ option }) {
    const [from, to] = [parseOption(Day, option('from'), '--from'), parseOption(Day, option('to'), '--to')]
    const query = withoutUnset({ from, to, coach: parseOption(CoachId, option('coach'), '--coach') })
    return ({ api }) => request(AdminCallList, api.admin.calendar.calls.get({ query }))
  },
  output: (calls) => tableOutput(callsTable, calls),
})

/** Null where it is none of those to come: the server then says what is wrong with it. */
async function callToCome({ api }: Client, id: string) {
  const calls = await request(AdminCallList, api.admin.calendar.calls.get({ query: {} }))
  const call = calls.find((one) => one.id === id)
  if (call === undefined) return null
  const { name, startsAt, coach, status } = call
  return { name, startsAt, coach, status }
}

type CallToCome = Awaited<ReturnType<typeof callToCome>>

function plannedCall<Change extends FlatRecord>(call: CallToCome, change: Change, then: string) {
  const details = [
    { label: 'Call', value: call === null ? emptyLabel : `${timeLabel(call.startsAt)}, with ${call.name}` },
    { label: 'Then', value: then },
  ]
  const output = sectionsOutput({ json: change, csv: () => recordSheet(change) }, [{ title: 'Call', details }])
  return { facts: { call, ...change }, output }
}

const Time = v.pipe(v.string(), v.regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Write the time as 09:30.'))

const move = changeRow({
  usage: 'move <id> <day> <time>',
  description: 'Move a booked call, and email the person; the time is London’s',
  options: [['--coach <id>', 'to another coach']],
  examples: ['move 019a0000-0000-7000-8000-000000000000 2026-06-16 09:30'],
  plans: true,
  plan({ argument, option }) {
    const id = parseArgument(Id, argument(0))
    const [day, time] = [parseArgument(Day, argument(1), 'Day'), parseArgument(Time, argument(2))]
    const coach = parseOption(CoachId, option('coach'), '--coach')
    const startsAt = londonInstant(day, time).toISOString()
    const body = parseArgument(MoveCallRequest, withoutUnset({ startsAt, coach }))
    return async (client) => {
      const then = `it begins at ${timeLabel(startsAt)}, and the person gets an email`
      return { ...plannedCall(await callToCome(client, id), { id, ...body }, then), question: null }
    }
  },
  apply:
    (_call, { id, call: _before, ...body }) =>
    async ({ api }) => {
      const call = await request(AdminCall, api.admin.calendar.calls({ id }).move.post(body))
      const sentence = `Moved to ${timeLabel(call.startsAt)}, with ${call.coachName}. ${call.name} gets an email.`
      return { record: { id, startsAt: call.startsAt, coach: call.coach }, sentence }
    },
})

const cancel = changeRow({
  usage: 'cancel <id>',
  description: 'Cancel a booked call, and email the person',
  examples: ['cancel 019a0000-0000-7000-8000-000000000000 --dry-run', 'cancel 019a0000-0000-7000-8000-000000000000'],
  asks: true,
  plan({ argument }) {
    const id = parseArgument(Id, argument(0))
    const question = 'This cancels the call and emails the person.'
    return async (client) => ({
      ...plannedCall(await callToCome(client, id), { id }, 'it is cancelled, and the person gets an email'),
      question,
    })
  },
  apply:
    (_call, { id }) =>
    async ({ api }) => {
      const call = await request(AdminCall, api.admin.calendar.calls({ id }).cancel.post({}))
      const sentence = `The call with ${call.name} on ${timeLabel(call.startsAt)} is cancelled.`
      return { record: { id, status: call.status }, sentence }
    },
})

export const callRows: readonly CommandRow[] = [list, move, cancel]

/** Replaces the words that are there now. */
async function writeAgreed(io: Io, options: Options, given: { id: string; words: string[] }): Promise<void> {
  const id = parseArgument(Id, given.id)
  const agreement = await withClient(io, options, async ({ api }) => {
    const call = api.admin.calendar.calls({ id })
    const current = await request(CallAgreement, call.agreed.get())
    if (given.words.length === 0) return current
    const body = parseArgument(CallAgreementRequest, { agreed: given.words.join(' '), version: current.version })
    return request(CallAgreement, call.agreed.put(body))
  })
  await printOutcome(io, options, { record: agreement, sentence: agreement.agreed ?? 'Nothing is written down yet.' })
}

type Feed = v.InferOutput<typeof CallFeedList>[number]

const feedsTable: Table<Feed> = {
  title: 'Calendar addresses',
  empty: 'There is no address.',
  columns: [
    { title: 'ID', text: ({ id }) => id, minWidth: 36 },
    { title: 'COACH', text: ({ coach }) => coach ?? 'all' },
    { title: 'MADE', text: ({ createdAt }) => timeLabel(createdAt), dropOrder: 1 },
  ],
  csv: csvFields(['id', 'coach', 'createdAt']),
}

async function manageFeeds(io: Io, options: Options & { list?: boolean }): Promise<void> {
  if (options.revoke !== undefined) return revokeFeed(io, options, parseArgument(Id, options.revoke))
  if (options.list) {
    const feeds = await withClient(io, options, ({ api }) => request(CallFeedList, api.admin.calendar.feeds.get()))
    return print(io, options, tableOutput(feedsTable, feeds))
  }
  const coach = parseOption(CoachId, options.coach, '--coach') ?? null
  const renewed = parseOption(Id, options.renew, '--renew')
  const feed = await withClient(io, options, ({ api }) => {
    const { feeds } = api.admin.calendar
    return request(
      CallFeedResponse,
      renewed === undefined ? feeds.post({ coach }) : feeds({ id: renewed }).renew.post(),
    )
  })
  await print(io, options, linkOutput(feed, feed.url, feed))
  await note(io, options, 'Anybody with this address can read times and first names. It is not shown again.')
}

async function revokeFeed(io: Io, options: Options, id: string): Promise<void> {
  await withClient(io, options, ({ api }) => request(Done, api.admin.calendar.feeds({ id }).delete()))
  await printOutcome(io, options, { record: { id, revoked: true }, sentence: 'The address has stopped working.' })
}
