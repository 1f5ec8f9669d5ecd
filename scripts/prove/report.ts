import { writeFileSync } from 'node:fs'
import { median } from '../bench/rounds.ts'
import { partNames, type State } from './state.ts'

const file = 'docs/proven.md'
const whole = (value: number) => Math.round(value).toLocaleString('en-GB')
const ms = (value: number) => `${whole(value)} ms`
const row = (...cells: string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
const table = (heads: readonly string[], rows: readonly string[][]) =>
  [row(...heads), row(...heads.map(() => '---')), ...rows.map((cells) => row(...cells))].join('\n')

/** Only what was really done: a part that hasn’t run isn’t mentioned as if it had. */
export function writeReport(state: State, promises: Record<string, string>): void {
  const parts = [killed(state, promises), full(state), asked(state), loaded(state), held(state)]
  writeFileSync(file, `${[head(state), ...parts].filter((part) => part !== '').join('\n\n')}\n`)
  Bun.spawnSync([process.execPath, 'x', 'biome', 'format', '--write', file])
}

const head = ({ machine, parts }: State) =>
  [
    '# Proven under fire',
    '',
    '`npm run prove` writes this page. It runs the bundled server as its own process, on copies of a seeded folder with the payment',
    'sandbox. It’s no part of `npm test`.',
    '',
    `The machine has ${machine}.`,
    '',
    table(
      ['Part', 'Product as of', 'Day', 'Load of the machine: middle, most', 'Faults'],
      partNames.flatMap((name) => (parts[name] === undefined ? [] : [headRow(name, parts[name])])),
    ),
    '',
    'With a load above the number of cores, other work was under way: read the times as upper bounds. In full it’s `npm run prove`: 1,000',
    'kills, 100,000 requests and 30 minutes of load.',
    ...partNames.flatMap((name) => (parts[name]?.faults ?? []).map((fault) => `\n- **Fault** (${name}): ${fault}`)),
  ].join('\n')

const headRow = (name: string, { commit, day, loads, faults }: State['parts'][string]): string[] => [
  ...[
    name,
    `\`${commit}\``,
    day,
    `${median([...loads, ...(loads.length > 0 ? [] : [0])]).toFixed(1)}, ${Math.max(0, ...loads).toFixed(1)}`,
    String(faults.length),
  ],
]

function killed({ kills }: State, promises: Record<string, string>): string {
  const rows = Object.entries(kills).filter(([, { kills: count }]) => count > 0)
  if (rows.length === 0) return ''
  const sum = rows.reduce((total, [, one]) => total + one.kills, 0)
  return [
    `## ${whole(sum)} times kill -9`,
    '',
    'At a random moment of work. Then it starts again, what had no answer is sent again as a client would, and we count. Each time the',
    'database’s pages, its references and the row of invoice numbers are checked too.',
    '',
    table(
      ['Door', 'Kills', 'with work under way', 'Answered before', 'What has to hold'],
      rows.map(([name, one]) => [
        name,
        whole(one.kills),
        whole(one.caught),
        whole(one.acknowledged),
        promises[name] ?? '',
      ]),
    ),
    '',
    'Of a backup and of a command it’s the terminal’s own process that’s killed, and “answered” counts the ones that had ended.',
  ].join('\n')
}

function full({ full: kinds }: State): string {
  if (Object.keys(kinds).length === 0) return ''
  const rows = Object.entries(kinds).map(([name, { tried, answer }]) => [name, whole(tried), answer])
  return [
    '## A full disk',
    '',
    'A real one, a tmpfs of 600 MB, filled to its last byte for each kind of write. We write until it’s refused: SQLite’s log often has',
    'room for some more. The front page has to open meanwhile, the same write has to work once there’s room, and what was confirmed has',
    'to be there.',
    '',
    table(['Write', 'Refused at try', 'Answer'], rows),
  ].join('\n')
}

function asked({ requests }: State): string {
  if (requests.sent === 0) return ''
  const groups = [...new Set(Object.values(requests.statuses).flatMap((seen) => Object.keys(seen)))].sort()
  return [
    `## ${whole(requests.sent)} requests made from the API’s document`,
    '',
    'fast-check makes them from `/api/docs/json`: fitting values and odd ones, cut bodies, lengths, unicode and headers. None may get a',
    '5xx (but for a 503 that says when to come back), hang for 30 seconds, or show a stack, a query, a hash or a key.',
    '',
    table(
      ['As', ...groups],
      Object.entries(requests.statuses).map(([role, seen]) => [
        role,
        ...groups.map((group) => whole(seen[group] ?? 0)),
      ]),
    ),
  ].join('\n')
}

function loaded({ load: { mix, perSecond, minutes } }: State): string {
  if (minutes.length === 0) return ''
  const most = (of: (minute: (typeof minutes)[number]) => number) => Math.max(...minutes.map(of))
  const quarter = Math.ceil(minutes.length / 4)
  const memoryOf = (some: typeof minutes) => `${whole(median(some.map(({ memory }) => memory)))} MB`
  const sent = minutes.reduce((sum, one) => sum + one.sent, 0)
  const failed = minutes.reduce((sum, one) => sum + one.failed, 0)
  return [
    `## ${minutes.length} minutes of load`,
    '',
    `${perSecond} requests a second come when they come, answered or not (an open model). A request’s time counts from when it was due.`,
    'Client and server share the machine. The mix, on the seeded site with 300 members more:',
    '',
    `${mix}.`,
    ...(minutes.length < 15 ? ['', 'That’s too short to call the memory flat: a server’s grows at first.'] : []),
    '',
    table(
      ['', ''],
      [
        ['Requests', whole(sent)],
        ['Refused or lost', whole(failed)],
        ['Half within, middle minute', ms(median(minutes.map(({ p50 }) => p50)))],
        [
          'p99: middle minute, worst minute',
          `${ms(median(minutes.map(({ p99 }) => p99)))}, ${ms(most(({ p99 }) => p99))}`,
        ],
        ['Slowest', ms(most(({ slowest }) => slowest))],
        [
          'Memory: first quarter, last quarter, most',
          `${memoryOf(minutes.slice(0, quarter))}, ${memoryOf(minutes.slice(-quarter))}, ${whole(most(({ memory }) => memory))} MB`,
        ],
        ['Write-ahead log, most', `${most(({ log }) => log).toFixed(1)} MB`],
      ],
    ),
  ].join('\n')
}

function held({ held: crowds }: State): string {
  if (Object.keys(crowds).length === 0) return ''
  return [
    '## Slow readers and idle connections',
    '',
    'A slow reader asks for the API’s page twenty times in one go and reads a hundred bytes a second. For 45 seconds a visitor opens the',
    'front page ten times a second beside them.',
    '',
    table(
      ['Beside', 'Visitor’s p99', 'Slowest', 'Memory, most', 'five seconds after', 'Still connected'],
      Object.entries(crowds).map(([name, one]) => [
        ...[name, ms(one.p99), ms(one.slowest), `${whole(one.memory)} MB`, `${whole(one.after)} MB`, whole(one.left)],
      ]),
    ),
    '',
    'The server closes connections on which nothing happens for 30 seconds.',
  ].join('\n')
}
