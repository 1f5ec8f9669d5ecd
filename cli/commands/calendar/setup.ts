import type { Command } from 'commander'
import { type SharedOptions, withClient } from '#cli/client.ts'
import { examples } from '#cli/help.ts'
import type { Io } from '#cli/io.ts'
import { dayLabel, emptyLabel } from '#cli/labels.ts'
import { print, printOutcome, tableOutput } from '#cli/output.ts'
import { parseArgument, request } from '#cli/request.ts'
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
  callKinds,
  weekdays,
} from '#shared/contract/calendar.ts'
import { Id } from '#shared/contract/fields.ts'

type Options = SharedOptions & Record<string, string | boolean | undefined>

/** Hours, holidays and rules of the calendar. */
export function registerSetup(calendar: Command, io: Io): void {
  registerHours(calendar, io)
  registerHolidays(calendar, io)
  calendar
    .command('rules [kind]')
    .description('Show lengths, lead times and buffers in minutes, or change those of a kind of call')
    .option('--minutes <minutes>', 'how long a call is; a coaching call is as long as its tier says')
    .option('--every <minutes>', 'how often one can begin')
    .option('--lead <minutes>', 'how long before it begins it can be booked at the latest')
    .option('--buffer <minutes>', 'what is kept free around it')
    .option('--days <days>', 'how far ahead it can be booked')
    .addHelpText('after', examples('calendar rules', 'calendar rules catch-up --lead 240 --buffer 10'))
    .action((kind: string | undefined, _own, command: Command) => rules(io, command.optsWithGlobals(), kind))
  calendar
    .command('allow <email> <kind> <month>')
    .description('Give a member one more call in a month')
    .addHelpText('after', examples('calendar allow sam@example.com coaching 2026-06'))
    .action((...[email, kind, month, , command]: [string, string, string, unknown, Command]) =>
      allow(io, command.optsWithGlobals(), { email, kind, month }),
    )
}

function registerHours(calendar: Command, io: Io): void {
  const hours = calendar
    .command('hours')
    .description('Show each coach’s weekly hours, by London’s clocks')
    .addHelpText(
      'after',
      examples('calendar hours', 'calendar hours set coach-1 coaching mon,tue 09:00-12:00,13:00-17:00'),
    )
    .action((_own, command: Command) => showHours(io, command.optsWithGlobals()))
  hours
    .command('set <coach> <kinds> <weekdays> [times]')
    .description('Set the hours of weekdays; without times there are none. Kinds or weekdays can be "all"')
    .addHelpText(
      'after',
      examples('calendar hours set coach-1 all mon,tue,wed 09:00-12:00', 'calendar hours set coach-1 sales fri'),
    )
    .action(
      (...[coach, kinds, days, times, , command]: [string, string, string, string | undefined, unknown, Command]) =>
        setHours(io, command.optsWithGlobals(), { coach, kinds, days, times: times ?? '' }),
    )
}

type HoursRow = { coach: string; kind: string; weekday: string; times: string }

const hoursTable: Table<HoursRow> = {
  title: 'Weekly hours',
  empty: 'No hours are set: nothing can be booked.',
  columns: [
    { title: 'COACH', text: ({ coach }) => coach },
    { title: 'CALL', text: ({ kind }) => kind },
    { title: 'DAY', text: ({ weekday }) => weekday },
    { title: 'TIMES', text: ({ times }) => times, minWidth: 20 },
  ],
  csv: csvFields(['coach', 'kind', 'weekday', 'times']),
}

const timesOf = (windows: readonly CallWindow[]) => windows.map(({ opens, closes }) => `${opens}-${closes}`).join(', ')

const readSetup = (io: Io, options: Options) =>
  withClient(io, options, ({ api }) => request(CallSetup, api.admin.calendar.get()))

async function showHours(io: Io, options: Options): Promise<void> {
  const { hours } = await readSetup(io, options)
  const rows = hours
    .filter(({ windows }) => windows.length > 0)
    .map(({ coach, kind, weekday, windows }) => ({ coach, kind, weekday, times: timesOf(windows) }))
  await print(io, options, tableOutput(hoursTable, rows))
}

const listed = (text: string, all: readonly string[]) => (text === 'all' ? [...all] : text.split(','))

function windowsOf(times: string): { opens: string; closes: string }[] {
  return times.split(',').flatMap((window) => {
    const [opens = '', closes = ''] = window.trim().split('-')
    return window.trim() === '' ? [] : [{ opens, closes }]
  })
}

type GivenHours = { coach: string; kinds: string; days: string; times: string }

async function setHours(io: Io, options: Options, { coach, kinds, days, times }: GivenHours): Promise<void> {
  const windows = windowsOf(times)
  const bodies = listed(kinds, callKinds).flatMap((kind) =>
    listed(days, weekdays).map((weekday) => parseArgument(CallHours, { coach, kind, weekday, windows, version: 0 })),
  )
  await withClient(io, options, async ({ api }) => {
    const { hours } = await request(CallSetup, api.admin.calendar.get())
    for (const body of bodies) {
      const stored = hours.find(
        (row) => row.coach === body.coach && row.kind === body.kind && row.weekday === body.weekday,
      )
      await request(CallHours, api.admin.calendar.hours.put({ ...body, version: stored?.version ?? 0 }))
    }
  })
  const when = timesOf(windows) || 'none'
  const record = { coach, kinds, weekdays: days, times: when }
  await printOutcome(io, options, { record, sentence: `Hours of ${coach}, ${kinds}, ${days}: ${when}.` })
}

function registerHolidays(calendar: Command, io: Io): void {
  const holidays = calendar
    .command('holidays')
    .description('Show holidays, and days with other hours than the week’s')
    .addHelpText('after', examples('calendar holidays', 'calendar holidays add 2026-12-24 2027-01-02 --note Christmas'))
    .action((_own, command: Command) => showHolidays(io, command.optsWithGlobals()))
  holidays
    .command('add <first> [last]')
    .description('Close days, or give them other hours with --times')
    .option('--coach <id>', 'of one coach alone')
    .option('--times <times>', 'hours on these days, as 09:00-12:00')
    .option('--note <text>', 'for yourselves')
    .addHelpText(
      'after',
      examples('calendar holidays add 2026-08-31', 'calendar holidays add 2026-12-23 --times 09:00-12:00'),
    )
    .action((first: string, last: string | undefined, _own, command: Command) =>
      addHolidays(io, command.optsWithGlobals(), { first, last: last ?? first }),
    )
  holidays
    .command('remove <id>')
    .description('Take back a holiday, or a day with other hours')
    .addHelpText('after', examples('calendar holidays remove 019a0000-0000-7000-8000-000000000000'))
    .action((id: string, _own, command: Command) => removeHolidays(io, command.optsWithGlobals(), id))
}

const holidaysTable: Table<CallDays> = {
  title: 'Holidays and other hours',
  empty: 'None are set.',
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

async function showHolidays(io: Io, options: Options): Promise<void> {
  const { days } = await readSetup(io, options)
  await print(io, options, tableOutput(holidaysTable, days))
}

async function addHolidays(io: Io, options: Options, { first, last }: { first: string; last: string }): Promise<void> {
  const { coach = null, note = null, times } = options
  const windows = windowsOf(typeof times === 'string' ? times : '')
  const body = parseArgument(CallDaysRequest, { coach, note, windows, firstDay: first, lastDay: last })
  const { id } = await withClient(io, options, ({ api }) => request(Created, api.admin.calendar.days.post(body)))
  const what = timesOf(windows) || 'closed'
  const sentence = `From ${dayLabel(first)} to ${dayLabel(last)}: ${what}. Calls that are booked stay booked.`
  await printOutcome(io, options, { record: { id, firstDay: first, lastDay: last, times: what }, sentence })
}

async function removeHolidays(io: Io, options: Options, given: string): Promise<void> {
  const id = parseArgument(Id, given)
  await withClient(io, options, ({ api }) => request(Done, api.admin.calendar.days({ id }).delete()))
  await printOutcome(io, options, {
    record: { id, removed: true },
    sentence: 'These days are back to the usual hours.',
  })
}

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

async function rules(io: Io, options: Options, kind: string | undefined): Promise<void> {
  const { rules: known } = await readSetup(io, options)
  if (kind === undefined) return print(io, options, tableOutput(rulesTable, known))
  const changes = Object.entries(ruleOptions).flatMap(([option, name]) => {
    const given = options[option]
    return given === undefined ? [] : [[name, Number(given)] as const]
  })
  const before = known.find((one) => one.kind === kind)
  const body = parseArgument(CallRules, { ...before, kind, ...Object.fromEntries(changes) })
  if (changes.length > 0)
    await withClient(io, options, ({ api }) => request(CallRules, api.admin.calendar.rules.put(body)))
  await print(io, options, tableOutput(rulesTable, [body]))
}

async function allow(io: Io, options: Options, given: { email: string; kind: string; month: string }): Promise<void> {
  const body = parseArgument(CallAllowanceRequest, given)
  await withClient(io, options, ({ api }) => request(Done, api.admin.calendar.allowances.post(body)))
  const sentence = `${body.email} has one more call of this kind in ${body.month}.`
  await printOutcome(io, options, { record: body, sentence })
}
