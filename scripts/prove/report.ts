import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { median } from '../bench/figures.ts'
import { type Part, type PartName, partNames, type State } from './proof.ts'

const file = 'docs/proven.md'
const whole = (value: number) => Math.round(value).toLocaleString('en-GB')
const ms = (value: number) => `${whole(value)} ms`
const row = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
const headings = (heads: readonly string[]) => [row(heads), row(heads.map(() => '---'))]
const table = (heads: readonly string[], rows: readonly (readonly string[])[]) =>
  [...headings(heads), ...rows.map(row)].join('\n')

/** What a section says, by the words its heading has, whatever the figures. Nothing if none of it was done. */
type Section = { heading: RegExp; draw(state: State, promises: Record<string, string>): string[] }

const sections: Record<PartName, Section> = {
  kills: { heading: /times kill -9$/, draw: killed },
  disk: { heading: /^A full disk$/, draw: full },
  questions: { heading: /questions asked without signal$/, draw: sent },
  requests: { heading: /requests made from the API’s document$/, draw: asked },
  load: { heading: /minutes of load$/, draw: loaded },
  connections: { heading: /^Slow readers and idle connections$/, draw: held },
  copies: { heading: /rounds with Litestream$/, draw: copied },
}

export function writeReport(state: State, promises: Record<string, string>): void {
  const before = existsSync(file) ? readFileSync(file, 'utf8') : ''
  writeFileSync(file, reportOf(state, promises, before))
  Bun.spawnSync([process.execPath, 'x', 'biome', 'format', '--write', file])
}

/** Only what was really done: a part that hasn’t run here keeps what the page said of it, which another machine may have found. */
export function reportOf(state: State, promises: Record<string, string>, before: string): string {
  const [oldHead = '', ...oldSections] = before.split(/^## /m)
  const parts = partNames.flatMap((name) => {
    const { heading, draw } = sections[name]
    const part = state.parts[name]
    const drawn = part === undefined ? [] : draw(state, promises)
    if (part !== undefined && drawn.length > 0)
      return [{ section: drawn.join('\n\n'), ...introduced(name, part, state) }]
    const section = oldSections.find((one) => heading.test(one.split('\n', 1)[0] ?? ''))
    const lines = oldHead.split('\n')
    const row = lines.find((line) => line.startsWith(`| ${name} `))
    if (section === undefined || row === undefined) return []
    return [{ section: `## ${section.trim()}`, row, faults: lines.filter((line) => line.startsWith(faultMark(name))) }]
  })
  const pieces = [
    head(parts.map(({ row }) => row)),
    ...parts.flatMap(({ faults }) => faults),
    ...parts.map(({ section }) => section),
  ]
  return `${pieces.join('\n\n')}\n`
}

const faultMark = (name: PartName) => `- **Fault** (${name}): `

/** Figures that an older version kept don’t say on which machine. */
function introduced(name: PartName, { commit, day, machine, loads, faults }: Part, state: State) {
  const load = `${median(loads.length > 0 ? loads : [0]).toFixed(1)}, ${Math.max(0, ...loads).toFixed(1)}`
  return {
    row: row([name, `\`${commit}\``, day, machine ?? state.machine, load, String(faults.length)]),
    faults: faults.map((fault) => faultMark(name) + fault),
  }
}

const head = (rows: readonly string[]) => `# Proven under fire

\`npm run prove\` writes this page. It runs the bundled server as its own process, on copies of a seeded folder with the payment
sandbox. It’s no part of \`npm test\`.

${[...headings(['Part', 'Product as of', 'Day', 'Machine', 'Load of the machine: middle, most', 'Faults']), ...rows].join('\n')}

With a load above the number of cores, other work was under way: read the times as upper bounds. In full it’s \`npm run prove\`: 1,000
kills, 1,000 questions, 100,000 requests, 30 minutes of load and 100 rounds with Litestream.`

function killed({ kills }: State, promises: Record<string, string>): string[] {
  const doors = Object.entries(kills).filter(([, { kills: count }]) => count > 0)
  if (doors.length === 0) return []
  return [
    `## ${whole(doors.reduce((total, [, one]) => total + one.kills, 0))} times kill -9

At a random moment of work. Then it starts again, what had no answer is sent again as a client would, and we count. Each time the
database’s pages, its references and the row of invoice numbers are checked too.`,
    table(
      ['Door', 'Kills', 'with work under way', 'Answered before', 'What has to hold'],
      doors.map(([name, { kills: count, caught, acknowledged }]) => [
        name,
        ...[count, caught, acknowledged].map(whole),
        promises[name] ?? '',
      ]),
    ),
    'Of a backup and of a command it’s the terminal’s own process that’s killed, and “answered” counts the ones that had ended.',
  ]
}

function full({ disk }: State): string[] {
  const kinds = Object.entries(disk)
  if (kinds.length === 0) return []
  return [
    `## A full disk

A real one, a tmpfs of 600 MB, filled to its last byte for each kind of write. We write until it’s refused: SQLite’s log often has
room for some more. The front page has to open meanwhile, the same write has to work once there’s room, and what was confirmed has
to be there.`,
    table(
      ['Write', 'Refused at try', 'Answer'],
      kinds.map(([name, { tried, answer }]) => [name, whole(tried), answer]),
    ),
  ]
}

function sent({ questions }: State): string[] {
  if (questions.members === 0) return []
  const { members, asked: count, files, pieces, cut, disturbed, killed: tabs, serverKills, longestWait } = questions
  return [
    `## ${whole(count)} questions asked without signal

${whole(members)} members ask with photos and voice notes, twelve at a time, by the phone’s own engine. Once there’s signal, tabs are killed while they
send, often beside a second one; the server is killed at random moments; every tenth piece of each phone is cut in half; of all requests a sixth
is lost, sent twice, late, or its answer lost. In the end each question has to be on the server once, its voice note byte for byte as it was
recorded, and its photos as the server’s decoder draws what was sent. Ticks are made beside it: none may wait for more than one piece.`,
    table(
      ['', ''],
      [
        ['Photos and voice notes', whole(files)],
        ['Tabs killed while sending', whole(tabs)],
        ['Times kill -9 of the server', whole(serverKills)],
        ['Pieces sent, of them cut', `${whole(pieces)}, ${whole(cut)}`],
        ['Requests lost, doubled, late or unanswered', whole(disturbed)],
        ['Most pieces that a tick waited for', whole(longestWait)],
      ],
    ),
  ]
}

function asked({ requests: { sent, statuses } }: State): string[] {
  if (sent === 0) return []
  const groups = [...new Set(Object.values(statuses).flatMap((seen) => Object.keys(seen)))].sort()
  return [
    `## ${whole(sent)} requests made from the API’s document

fast-check makes them from \`/api/docs/json\`: fitting values and odd ones, cut bodies, lengths, unicode and headers. None may get a
5xx (but for a 503 that says when to come back), hang for 30 seconds, or show a stack, a query, a hash or a key.`,
    table(
      ['As', ...groups],
      Object.entries(statuses).map(([role, seen]) => [role, ...groups.map((group) => whole(seen[group] ?? 0))]),
    ),
  ]
}

function loaded({ load: { mix, perSecond, minutes } }: State): string[] {
  if (minutes.length === 0) return []
  type Figure = keyof (typeof minutes)[number]
  const all = (figure: Figure, of = minutes) => of.map((minute) => minute[figure])
  const sum = (figure: Figure) => whole(all(figure).reduce((total, one) => total + one, 0))
  const quarter = Math.ceil(minutes.length / 4)
  const quarters = [minutes.slice(0, quarter), minutes.slice(-quarter)].map((of) => median(all('memory', of)))
  const memory = [...quarters, Math.max(...all('memory'))].map((megabytes) => `${whole(megabytes)} MB`)
  return [
    `## ${minutes.length} minutes of load

${perSecond} requests a second come when they come, answered or not (an open model). A request’s time counts from when it was due.
Client and server share the machine. The mix, on the seeded site with 300 members more:

${mix}.`,
    ...(minutes.length < 15 ? ['That’s too short to call the memory flat: a server’s grows at first.'] : []),
    table(
      ['', ''],
      [
        ['Requests', sum('sent')],
        ['Refused or lost', sum('failed')],
        ['Half within, middle minute', ms(median(all('p50')))],
        ['p99: middle minute, worst minute', `${ms(median(all('p99')))}, ${ms(Math.max(...all('p99')))}`],
        ['Slowest', ms(Math.max(...all('slowest')))],
        ['Memory: first quarter, last quarter, most', memory.join(', ')],
        ['Write-ahead log, most', `${Math.max(...all('log')).toFixed(1)} MB`],
      ],
    ),
  ]
}

function held({ connections }: State): string[] {
  const crowds = Object.entries(connections)
  if (crowds.length === 0) return []
  return [
    `## Slow readers and idle connections

A slow reader asks for the API’s page twenty times in one go and reads a hundred bytes a second. For 45 seconds a visitor opens the
front page ten times a second beside them.`,
    table(
      ['Beside', 'Visitor’s p99', 'Slowest', 'Memory, most', 'five seconds after', 'Still connected'],
      crowds.map(([name, { p99, slowest, memory, after, left }]) => [
        ...[name, ms(p99), ms(slowest), `${whole(memory)} MB`, `${whole(after)} MB`, whole(left)],
      ]),
    ),
    'The server closes connections on which nothing happens for 30 seconds.',
  ]
}

function copied({ copies: { rounds } }: State): string[] {
  if (rounds.length === 0) return []
  const states = [...new Set(rounds.map(({ store }) => store))]
  return [
    `## ${rounds.length} rounds with Litestream

Litestream 0.3.13 copies the site into a store on this machine (s3rver) while a member ticks. First the server, Litestream or both are
killed and come back; then both die together, at a random moment, and another machine takes over. Before that the store is well, answers
after 1.2 s, refuses with 503, or isn’t there. Nothing may be torn, and no tick may be missing before one that’s there. With the store well, all
that’s older than 2 s is on the next machine; otherwise all that was written 2 s before the store failed. What \`/metrics\` and \`doctor\` said of the copy’s
age has to be true to 2 s, and the next machine has to answer within 10 s (longer beside other work, by the load of each core). The copy is also restored to a moment, with exactly the ticks made before
it. The old machine then has to answer 503.`,
    table(
      [
        'Store',
        'Rounds',
        'Ticks',
        'Lost: middle, most',
        'Age wrong by, most',
        'Takeover: middle',
        'It answers after: middle, most',
      ],
      states.map((state) => {
        const of = rounds.filter(({ store }) => store === state)
        const all = (figure: 'lostMs' | 'ageErrorMs' | 'takeoverMs' | 'answerMs') => of.map((round) => round[figure])
        const most = (figures: number[]) => Math.max(...figures)
        return [
          state,
          whole(of.length),
          whole(of.reduce((total, { written }) => total + written, 0)),
          `${ms(median(all('lostMs')))}, ${ms(most(all('lostMs')))}`,
          ms(most(all('ageErrorMs'))),
          ms(median(all('takeoverMs'))),
          `${ms(median(all('answerMs')))}, ${ms(most(all('answerMs')))}`,
        ]
      }),
    ),
    'With the store slow, refusing or away, what’s lost counts from when that began, up to five seconds before the kill.',
  ]
}
