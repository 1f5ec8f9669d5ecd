import { Box, Text } from 'ink'
import { toSafeLine } from '#cli/control-characters.ts'
import type { Desk, QueueItem } from '#cli/desk/desk-data.ts'
import type { Shown } from '#cli/desk/desk-state.ts'
import { nameLabel, sparkline } from '#cli/labels.ts'
import { type Column, layOutTable } from '#cli/table.ts'
import type { AdminMember } from '#shared/contract/members.ts'
import { londonClock } from '#shared/rules/london.ts'
import { listedMemberState } from '#shared/rules/member-state.ts'
import { formatPoundsAndPence } from '#shared/rules/money.ts'

/** What you can do to a member from their page, with the commands of that name. */
export const actions: readonly { key: string; label: string; argv(id: string): string[] }[] = [
  { key: 'v', label: 'revoke', argv: (id) => ['revoke', id] },
  { key: 'e', label: 'restore', argv: (id) => ['restore', id] },
  { key: 'm', label: 'free month', argv: (id) => ['free', id, '--month'] },
  { key: 'f', label: 'refund', argv: (id) => ['refund', id] },
]

const barWidth = 20

type FiguresProps = { desk: Desk | null; siteUrl: string; waiting: string; width: number }

export function Figures({ desk, siteUrl, waiting, width }: FiguresProps) {
  if (desk === null) {
    return (
      <Text bold>
        ▌ ALLIANCE {siteUrl} {waiting}
      </Text>
    )
  }
  const { members, mrr, target, months, asOf } = desk
  const filled = Math.min(barWidth, Math.round((target.customers / Math.max(target.goal, 1)) * barWidth))
  const closings = months.map(({ closing }) => closing)
  return (
    <Box flexDirection="column">
      <Text bold wrap="truncate">
        <Text color="yellow">▌</Text> ALLIANCE {siteUrl}
        <Text dimColor> at {londonClock(asOf)}</Text>
      </Text>
      <Text wrap="truncate">
        Members <Text bold>{members ?? '–'}</Text>
        {'   '}MRR <Text bold>{formatPoundsAndPence(mrr)}</Text>{' '}
        <Text color="yellow">{sparkline(closings, Math.max(width - 56, 6))}</Text>
      </Text>
      <Text wrap="truncate">
        Target <Text color="yellow">{'█'.repeat(filled)}</Text>
        <Text dimColor>{'░'.repeat(barWidth - filled)}</Text> {target.customers} of {target.goal} paying customers
      </Text>
    </Box>
  )
}

/** As many rows as fit, including the selected one. */
function windowOf<Row>(rows: readonly Row[], at: number, height: number): { from: number; rows: readonly Row[] } {
  const from = Math.max(0, Math.min(at - Math.floor(height / 2), rows.length - height))
  return { from, rows: rows.slice(from, from + height) }
}

/** `rows` is null until we’ve read them, and `waiting` says so. */
type List<Row> = {
  title: string
  empty: string
  waiting: string
  columns: readonly Column<Row>[]
  rows: readonly Row[] | null
  at: number
  isActive: boolean
  width: number
  height: number
}

function Rows<Row>({ title, empty, waiting, columns, rows: read, at, isActive, width, height }: List<Row>) {
  const rows = read ?? []
  const seen = windowOf(rows, at, Math.max(height - 2, 1))
  const layout = layOutTable(columns, seen.rows, { width: width - 2 })
  return (
    <Box flexDirection="column" width={width} height={height}>
      <Text bold inverse={isActive} wrap="truncate">
        {` ${title} `}
      </Text>
      {rows.length === 0 && <Text dimColor>{read === null ? waiting : empty}</Text>}
      {layout.rows.map((cells, row) => {
        const isSelected = isActive && seen.from + row === at
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a place on the screen, whichever row is in it
          <Text key={row} inverse={isSelected} wrap="truncate">
            {isSelected ? '› ' : '  '}
            {cells.map(({ text, tone }) => (tone === 'error' && !isSelected ? `${text}` : text)).join('  ')}
          </Text>
        )
      })}
    </Box>
  )
}

const queueColumns: Column<QueueItem>[] = [
  { title: 'KIND', text: ({ kind, isUrgent }) => `${isUrgent ? '! ' : '  '}${kind}` },
  { title: 'WHO', text: ({ title }) => title, minWidth: 14, wantedWidth: 28 },
  { title: 'DETAIL', text: ({ detail }) => detail, minWidth: 10, dropOrder: 1 },
]

type PlaceProps = { waiting: string; at: number; isActive: boolean; width: number; height: number }

type QueueProps = PlaceProps & { queue: readonly QueueItem[] | null }

function QueueRows({ queue, ...place }: QueueProps) {
  const title = queue === null ? 'TO DO' : `TO DO (${queue.length})`
  return <Rows {...place} title={title} rows={queue} empty={'Nothing to do.'} columns={queueColumns} />
}

const memberColumns: Column<AdminMember>[] = [
  { title: 'NAME', text: nameLabel, minWidth: 10, dropOrder: 1 },
  { title: 'EMAIL', text: ({ email }) => email, minWidth: 16, identifies: true },
  { title: 'MEMBERSHIP', text: (member) => listedMemberState(member).text, minWidth: 14 },
]

type MemberProps = PlaceProps & {
  members: readonly AdminMember[] | null
  search: { text: string; isTyping: boolean }
}

function MemberRows({ members, search, ...place }: MemberProps) {
  const looked =
    search.text !== '' || search.isTyping ? `  / ${toSafeLine(search.text)}${search.isTyping ? '▏' : ''}` : ''
  const empty = search.text === '' ? 'No members yet.' : 'No one found.'
  return <Rows {...place} rows={members} empty={empty} title={`MEMBERS${looked}`} columns={memberColumns} />
}

type PageProps = { shown: Shown; top: number; width: number; height: number }

/** A long value continues under itself, not under its label. */
export function foldDetail(line: string, width: number): string[] {
  const [, label = '', value = line] = /^(\S.*? {2,})(\S.*)$/.exec(line) ?? []
  const start = label.length < width / 2 ? label : ''
  const folded = Bun.wrapAnsi(start === '' ? line : value, width - start.length).split('\n')
  return folded.map((part, at) => `${at === 0 ? start : ' '.repeat(start.length)}${part}`)
}

/** If it doesn't fit, the arrows scroll, and it says so. */
function Page({ shown, top, width, height }: PageProps) {
  const title = shown.kind === 'text' ? shown.title : shown.kind === 'plan' ? 'PLAN' : 'MEMBER'
  const lines = shown.text.split('\n').flatMap((line) => foldDetail(line, width - 1))
  const room = Math.max(height - 3, 1)
  const from = Math.max(0, Math.min(top, lines.length - room))
  const below = Math.max(lines.length - from - room, 0)
  return (
    <Box flexDirection="column" width={width} height={height}>
      <Text bold inverse>{` ${toSafeLine(title)} `}</Text>
      <Text>{lines.slice(from, from + room).join('\n')}</Text>
      {below > 0 && <Text dimColor>↓ {below} more</Text>}
      {shown.kind === 'plan' && <Text bold>{toSafeLine(shown.question)}</Text>}
    </Box>
  )
}

export function Keys({ shown, isTyping, pane }: { shown: Shown | null; isTyping: boolean; pane: 'queue' | 'members' }) {
  return (
    <Text dimColor wrap="truncate">
      {keysOf({ shown, isTyping, pane })}
    </Text>
  )
}

function keysOf({ shown, isTyping, pane }: Parameters<typeof Keys>[0]): string {
  if (isTyping) return 'type to search   ↵ keep   esc clear'
  if (shown?.kind === 'plan') return 'y do it   any other key cancels   q quit'
  if (shown?.kind === 'member')
    return `${actions.map(({ key, label }) => `${key} ${label}`).join('   ')}   ↑↓ scroll   esc back   q quit`
  if (shown !== null) return 'esc back   q quit'
  return `↑↓ choose   ↵ open   tab ${pane === 'queue' ? 'members' : 'to do'}   / search   r refresh   q quit`
}

type BodyProps = {
  shown: Shown | null
  top: number
  pane: 'queue' | 'members'
  at: { queue: number; members: number }
  desk: Desk | null
  members: readonly AdminMember[] | null
  search: { text: string; isTyping: boolean }
  waiting: string
  width: number
  height: number
}

/** A page, or the lists: side by side if they fit, else the chosen one. */
export function Body({ shown, top, pane, at, desk, members, search, waiting, width, height }: BodyProps) {
  if (shown !== null) return <Page shown={shown} top={top} width={width} height={height} />
  const isWide = width >= 120
  const half = isWide ? Math.floor(width / 2) - 1 : width
  return (
    <>
      {(isWide || pane === 'queue') && (
        <QueueRows
          waiting={waiting}
          height={height}
          queue={desk?.queue ?? null}
          at={at.queue}
          isActive={pane === 'queue'}
          width={half}
        />
      )}
      {(isWide || pane === 'members') && (
        <MemberRows
          members={members}
          search={search}
          waiting={waiting}
          height={height}
          at={at.members}
          isActive={pane === 'members'}
          width={half}
        />
      )}
    </>
  )
}
