import * as v from 'valibot'
import type { Client } from '#cli/connection.ts'
import { emptyLabel, timeLabel } from '#cli/labels.ts'
import { recordOutput, tableOutput } from '#cli/output.ts'
import { parseArgument, parseId, parseOption, request, withoutUnset } from '#cli/request.ts'
import { type CommandRow, changeRow, registersRows, showRow } from '#cli/rows.ts'
import { csvFields, type FlatRecord, type Table } from '#cli/table.ts'
import { AdminCall, AdminCallList, MoveCallRequest } from '#shared/contract/calendar.ts'
import { callNames } from '#shared/contract/call-kind.ts'
import { CoachId } from '#shared/contract/call-slot.ts'
import { Day } from '#shared/contract/fields.ts'
import { londonInstant } from '#shared/rules/london.ts'

const callsTable: Table<AdminCall> = {
  title: 'Calls',
  empty: 'No calls booked.',
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
    ['--coach <id>', 'only this coach’s'],
    ['--from <day>', 'from this day, such as 2026-06-15 (default: today)'],
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

/** Null if it's not an upcoming call; the server then says what's wrong with it. */
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
  const output = recordOutput('Call', details, change)
  return { facts: { call, ...change }, output }
}

const Time = v.pipe(v.string(), v.regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Write the time like 09:30.'))

const move = changeRow({
  usage: 'move <id> <day> <time>',
  description: 'Move a booked call and email the person (UK time)',
  options: [['--coach <id>', 'to another coach']],
  examples: ['move 019a0000-0000-7000-8000-000000000000 2026-06-16 09:30'],
  plan({ argument, option }) {
    const id = parseId(argument(0), 'calls list')
    const [day, time] = [parseArgument(Day, argument(1), 'Day'), parseArgument(Time, argument(2))]
    const coach = parseOption(CoachId, option('coach'), '--coach')
    const startsAt = londonInstant(day, time).toISOString()
    const body = parseArgument(MoveCallRequest, withoutUnset({ startsAt, coach }))
    return async (client) => {
      const then = `it starts at ${timeLabel(startsAt)}, and the person gets an email`
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
  description: 'Cancel a booked call and email the person',
  examples: ['cancel 019a0000-0000-7000-8000-000000000000 --dry-run', 'cancel 019a0000-0000-7000-8000-000000000000'],
  asks: true,
  plan({ argument }) {
    const id = parseId(argument(0), 'calls list')
    const question = 'This cancels the call and emails the person.'
    return async (client) => ({
      ...plannedCall(await callToCome(client, id), { id }, 'it’s cancelled, and the person gets an email'),
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

export const registerCalls = registersRows(callRows)
