import type { Client } from '#cli/connection.ts'
import { dayLabel, emptyLabel } from '#cli/labels.ts'
import { countsOutput, tableOutput } from '#cli/output.ts'
import { parseArgument, parseId, request } from '#cli/request.ts'
import { type CommandRow, changeRow, showRow } from '#cli/rows.ts'
import { csvFields, type Table } from '#cli/table.ts'
import { Done } from '#shared/contract/auth.ts'
import {
  CallAllowanceRequest,
  type CallDays,
  CallDaysRequest,
  CallHours,
  CallRules,
  CallSetup,
  type CallWindow,
  Created,
} from '#shared/contract/calendar.ts'
import { callKinds, weekdays } from '#shared/contract/call-kind.ts'

type HoursRow = { coach: string; kind: string; weekday: string; times: string }

const hoursTable: Table<HoursRow> = {
  title: 'Weekly hours',
  empty: 'No hours set, so no one can book.',
  columns: [
    { title: 'COACH', text: ({ coach }) => coach },
    { title: 'CALL', text: ({ kind }) => kind },
    { title: 'DAY', text: ({ weekday }) => weekday },
    { title: 'TIMES', text: ({ times }) => times, minWidth: 20 },
  ],
  csv: csvFields(['coach', 'kind', 'weekday', 'times']),
}

const timesOf = (windows: readonly CallWindow[]) => windows.map(({ opens, closes }) => `${opens}-${closes}`).join(', ')

const readSetup = ({ api }: Client) => request(CallSetup, api.admin.calendar.get())

const hours = showRow({
  usage: '',
  description: 'Show each coach’s weekly hours (UK time)',
  examples: ['', 'set coach-1 coaching mon,tue 09:00-12:00,13:00-17:00'],
  read: () => readSetup,
  output: ({ hours }) =>
    tableOutput(
      hoursTable,
      hours.flatMap(({ windows, ...row }) => (windows.length > 0 ? [{ ...row, times: timesOf(windows) }] : [])),
    ),
})

const listed = (text: string, all: readonly string[]) => (text === 'all' ? [...all] : text.split(','))

function windowsOf(times: string): { opens: string; closes: string }[] {
  return times.split(',').flatMap((window) => {
    const [opens = '', closes = ''] = window.trim().split('-')
    return window.trim() === '' ? [] : [{ opens, closes }]
  })
}

const setHours = changeRow({
  usage: 'set <coach> <kinds> <weekdays> [times]',
  description: 'Set weekday hours (no times: closed). Kinds or weekdays can be "all"',
  examples: ['set coach-1 all mon,tue,wed 09:00-12:00', 'set coach-1 sales fri'],
  plans: true,
  plan({ argument }) {
    const [coach, kinds, weekdaysGiven, windows] = [argument(0), argument(1), argument(2), windowsOf(argument(3))]
    const bodies = listed(kinds, callKinds).flatMap((kind) =>
      listed(weekdaysGiven, weekdays).map((weekday) =>
        parseArgument(CallHours, { coach, kind, weekday, windows, version: 0 }),
      ),
    )
    return async (client) => {
      const { hours } = await readSetup(client)
      const days = bodies.map((body) => ({ ...body, version: versionOf(hours, body) }))
      const rows = days.map(({ windows, ...row }) => ({ ...row, times: timesOf(windows) || 'none' }))
      const said = { coach, kinds, weekdays: weekdaysGiven, times: timesOf(windows) || 'none' }
      return { facts: { days, said }, output: tableOutput(hoursTable, rows), question: null }
    }
  },
  apply:
    (_call, { days, said }) =>
    async ({ api }) => {
      for (const day of days) await request(CallHours, api.admin.calendar.hours.put(day))
      return { record: said, sentence: `Hours of ${said.coach}, ${said.kinds}, ${said.weekdays}: ${said.times}.` }
    },
})

const versionOf = (hours: readonly CallHours[], { coach, kind, weekday }: CallHours) =>
  hours.find((row) => row.coach === coach && row.kind === kind && row.weekday === weekday)?.version ?? 0

export const hourRows: readonly CommandRow[] = [hours, setHours]

const holidaysTable: Table<CallDays> = {
  title: 'Holidays and other hours',
  empty: 'None set.',
  columns: [
    { title: 'ID', text: ({ id }) => id, minWidth: 36, dropOrder: 2 },
    { title: 'FROM', text: ({ firstDay }) => dayLabel(firstDay) },
    { title: 'TO', text: ({ lastDay }) => dayLabel(lastDay) },
    { title: 'COACH', text: ({ coach }) => coach ?? 'all' },
    { title: 'TIMES', text: ({ windows }) => timesOf(windows) || 'closed' },
    { title: 'NOTE', text: ({ note }) => note ?? emptyLabel, dropOrder: 1 },
  ],
  csv: [
    ...csvFields(['id', 'coach', 'firstDay', 'lastDay', 'note']),
    { name: 'times', cell: ({ windows }) => timesOf(windows) },
  ],
}

const holidays = showRow({
  usage: '',
  description: 'Show holidays and days with different hours',
  examples: ['', 'add 2026-12-24 2027-01-02 --note Christmas'],
  read: () => readSetup,
  output: ({ days }) => tableOutput(holidaysTable, days),
})

const addHolidays = changeRow({
  usage: 'add <first> [last]',
  description: 'Close days, or give them different hours with --times',
  options: [
    ['--coach <id>', 'only for this coach'],
    ['--times <times>', 'hours on these days, such as 09:00-12:00'],
    ['--note <text>', 'for yourselves'],
  ],
  examples: ['add 2026-08-31', 'add 2026-12-23 --times 09:00-12:00'],
  plans: true,
  plan({ argument, option }) {
    const [firstDay, lastDay] = [argument(0), argument(1) || argument(0)]
    const [coach, note] = [option('coach') ?? null, option('note') ?? null]
    const windows = windowsOf(option('times') ?? '')
    const facts = parseArgument(CallDaysRequest, { coach, note, windows, firstDay, lastDay })
    return async () => ({ facts, output: tableOutput(holidaysTable, [{ ...facts, id: emptyLabel }]), question: null })
  },
  apply:
    (_call, body) =>
    async ({ api }) => {
      const { id } = await request(Created, api.admin.calendar.days.post(body))
      const { firstDay, lastDay } = body
      const times = timesOf(body.windows) || 'closed'
      const sentence = `From ${dayLabel(firstDay)} to ${dayLabel(lastDay)}: ${times}. Calls already booked stay booked.`
      return { record: { id, firstDay, lastDay, times }, sentence }
    },
})

const removeHolidays = changeRow({
  usage: 'remove <id>',
  description: 'Remove a holiday, or a day with different hours',
  examples: ['remove 019a0000-0000-7000-8000-000000000000'],
  plans: true,
  plan({ argument }) {
    const id = parseId(argument(0), 'calendar holidays')
    return async (client) => {
      const days = (await readSetup(client)).days.filter((one) => one.id === id)
      return { facts: { id, days }, output: tableOutput(holidaysTable, days), question: null }
    }
  },
  apply:
    (_call, { id }) =>
    async ({ api }) => {
      await request(Done, api.admin.calendar.days({ id }).delete())
      return { record: { id, removed: true }, sentence: 'These days are back to the usual hours.' }
    },
})

export const holidayRows: readonly CommandRow[] = [holidays, addHolidays, removeHolidays]

const rulesTable: Table<CallRules> = {
  title: 'Rules, in minutes',
  empty: '',
  columns: [
    { title: 'CALL', text: ({ kind }) => kind },
    {
      title: 'LENGTH',
      text: ({ kind, minutes }) => (kind === 'coaching' ? 'of the tier' : String(minutes)),
      align: 'right',
    },
    { title: 'EVERY', text: ({ everyMinutes }) => String(everyMinutes), align: 'right' },
    { title: 'LEAD', text: ({ leadMinutes }) => String(leadMinutes), align: 'right' },
    { title: 'BUFFER', text: ({ bufferMinutes }) => String(bufferMinutes), align: 'right' },
    { title: 'DAYS AHEAD', text: ({ horizonDays }) => String(horizonDays), align: 'right' },
  ],
  csv: csvFields(['kind', 'minutes', 'everyMinutes', 'leadMinutes', 'bufferMinutes', 'horizonDays']),
}

const ruleOptions = {
  minutes: 'minutes',
  every: 'everyMinutes',
  lead: 'leadMinutes',
  buffer: 'bufferMinutes',
  days: 'horizonDays',
} as const

const rules = changeRow({
  usage: 'rules [kind]',
  description: 'Show or change lengths, lead times and buffers, in minutes',
  options: [
    ['--minutes <minutes>', 'how long a call is; a coaching call is as long as its tier says'],
    ['--every <minutes>', 'how often a call can start'],
    ['--lead <minutes>', 'minimum notice before a call'],
    ['--buffer <minutes>', 'free time around a call'],
    ['--days <days>', 'how far ahead people can book'],
  ],
  examples: ['rules', 'rules catch-up --lead 240 --buffer 10'],
  plans: true,
  plan({ argument, option }) {
    const kind = argument(0)
    const given = Object.entries(ruleOptions).flatMap(([flag, name]) => {
      const value = option(flag)
      return value === undefined ? [] : [[name, Number(value)] as const]
    })
    return async (client) => {
      const { rules: known } = await readSetup(client)
      const before = known.find((one) => one.kind === kind)
      const after = kind === '' ? known : [parseArgument(CallRules, { ...before, kind, ...Object.fromEntries(given) })]
      return {
        facts: { after, before: before ?? null, isChange: kind !== '' && given.length > 0 },
        output: tableOutput(rulesTable, after),
        question: null,
      }
    }
  },
  apply:
    (_call, { after, isChange }) =>
    async ({ api }) => {
      if (isChange) for (const rule of after) await request(CallRules, api.admin.calendar.rules.put(rule))
      return tableOutput(rulesTable, after)
    },
})

const allow = changeRow({
  usage: 'allow <email> <kind> <month>',
  description: 'Give a member one more call in a month',
  examples: ['allow sam@example.com coaching 2026-06'],
  plans: true,
  plan({ argument }) {
    const facts = parseArgument(CallAllowanceRequest, { email: argument(0), kind: argument(1), month: argument(2) })
    return async () => ({ facts, output: countsOutput(facts, 'One more call', facts), question: null })
  },
  apply:
    (_call, body) =>
    async ({ api }) => {
      await request(Done, api.admin.calendar.allowances.post(body))
      return { record: body, sentence: `${body.email} has one more call of this kind in ${body.month}.` }
    },
})

export const allowanceRows: readonly CommandRow[] = [rules, allow]
