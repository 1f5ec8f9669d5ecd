import type { CommitmentState } from '#shared/contract/commitments.ts'
import { uuidV7 } from './id.ts'
import { addDays, monthBefore, weekdayOf } from './london.ts'
import { isNewerStamp, type Stamp } from './progress-merge.ts'

/** How many the members' first screen shows. */
export const shownAtFirst = 3

const rank: Record<CommitmentState, number> = { proposed: 0, dropped: 1, open: 2, done: 3 }

/** A state with the stamp of the change that set it. */
export type StampedState = { state: CommitmentState; stamp: Stamp }

/**
 * Whether the incoming state wins: the later one, as for ticks. Of two made at the same time with the same counter, on two phones,
 * what was done beats what was dropped. All other states have a place in that order too, so that arrival can't change the result.
 */
export function isNewerState(incoming: StampedState, stored: StampedState | null): boolean {
  if (stored === null) return true
  const { at, counter } = stored.stamp
  if (incoming.stamp.at !== at || incoming.stamp.counter !== counter || incoming.state === stored.state)
    return isNewerStamp(incoming.stamp, stored.stamp)
  return rank[incoming.state] > rank[stored.state]
}

type Dated = { id: string; day: string; createdAt: string }
type Stated = Dated & { state: CommitmentState }

const byText = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0)

/** The next first; of one day's, the one made first. */
export const compareDue = (one: Dated, other: Dated): number =>
  byText(one.day, other.day) || byText(one.createdAt, other.createdAt) || byText(one.id, other.id)

/** What's still to do, the next first. */
export const openOnes = <Row extends Stated>(rows: readonly Row[]): Row[] =>
  rows.filter(({ state }) => state === 'open').toSorted(compareDue)

/** The coach's that wait for a yes, the next first. */
export const proposedOnes = <Row extends Stated>(rows: readonly Row[]): Row[] =>
  rows.filter(({ state }) => state === 'proposed').toSorted(compareDue)

/** What's over, the latest first. */
export const settledOnes = <Row extends Stated>(rows: readonly Row[]): Row[] =>
  rows.filter(({ state }) => state === 'done' || state === 'dropped').toSorted((one, other) => compareDue(other, one))

/** Its day has passed. */
export const isLate = ({ day, state }: { day: string; state: CommitmentState }, today: string): boolean =>
  state === 'open' && day < today

export const isKept = ({
  state,
  doneOn,
  day,
}: {
  state: CommitmentState
  doneOn: string | null
  day: string
}): boolean => state === 'done' && doneOn !== null && doneOn <= day

type Counted = { day: string; state: CommitmentState; doneOn: string | null }

/**
 * For each month of Europe/London, the latest first: of those due in it, how many were done by the last agreed day. One that's still
 * open counts once its day is over. Dropped ones don't count, nor those that weren't accepted.
 */
export function keptShares(rows: readonly Counted[], today: string): { month: string; due: number; kept: number }[] {
  const months = new Map<string, { month: string; due: number; kept: number }>()
  for (const row of rows) {
    if (row.state !== 'done' && !isLate(row, today)) continue
    const month = row.day.slice(0, 7)
    const counted = months.get(month) ?? { month, due: 0, kept: 0 }
    months.set(month, { month, due: counted.due + 1, kept: counted.kept + (isKept(row) ? 1 : 0) })
  }
  return [...months.values()].toSorted((one, other) => byText(other.month, one.month))
}

/** This month's share and the month's before, as far as anything was due. */
export function lastShares<Share extends { month: string }>(shares: readonly Share[], today: string): Share[] {
  const month = today.slice(0, 7)
  return shares.filter((share) => share.month === month || share.month === monthBefore(month))
}

/** Monday and Sunday of the London week a day is in. */
export function weekOf(day: string): { from: string; to: string } {
  const from = addDays(day, -weekdayOf(day))
  return { from, to: addDays(from, 6) }
}

/** A line of a note of what was agreed: as it's written, and as a commitment. Null if it says nothing to do. */
export type AgreedLine = { line: string; text: string | null }

/** The note's lines, in order. What becomes a commitment has no bullet, is short enough, and is there once. */
export function agreedLines(note: string | null, limit: number): AgreedLine[] {
  const seen = new Set<string>()
  return (note ?? '').split('\n').map((line) => {
    const bare = line.replace(/^\s*(?:[-–—*•·]|\d+[.)])\s+/, '').replaceAll('\t', ' ')
    const text = shortened(bare.trim().normalize('NFC'), limit)
    const isNew = /[\p{L}\p{N}]/u.test(text) && !seen.has(text)
    seen.add(text)
    return { line, text: isNew ? text : null }
  })
}

function shortened(line: string, limit: number): string {
  if (line.length <= limit) return line
  const cut = line.slice(0, limit - 1)
  const space = cut.lastIndexOf(' ')
  const kept = (space > limit / 2 ? cut.slice(0, space) : cut).trimEnd()
  // Half a character can't be sent.
  return `${kept.replace(/\p{Surrogate}$/u, '')}…`
}

const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']

/** The day a text names (“by Friday”, “tomorrow”), never one that has passed; else a week from today. */
export function dayNamed(text: string, today: string): string {
  const words = text.toLowerCase()
  if (/\btoday\b/.test(words)) return today
  if (/\btomorrow\b/.test(words)) return addDays(today, 1)
  const [, named = ''] = /\b(?:by|on|this|before|until|next)\s+(\w+day)\b/.exec(words) ?? []
  const weekday = weekdays.indexOf(named)
  return addDays(today, weekday < 0 ? 7 : (weekday - weekdayOf(today) + 7) % 7 || 7)
}

/**
 * The id of the commitment that a line of a call's note becomes. It's the same for everyone who presses the line, on any device, so
 * that a line becomes one commitment however often it's pressed.
 */
export function idOfLine(call: { id: string; startsAt: string }, line: string): string {
  const words = line.toLowerCase().replace(/\s+/g, ' ').trim()
  const seeds = [0, 1, 2].map((seed) => hash(`${seed}\n${call.id}\n${words}`))
  const bytes = seeds.flatMap((value) => [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255])
  return uuidV7(Date.parse(call.startsAt), Uint8Array.from(bytes.slice(0, 10)))
}

/** MurmurHash3's last step over FNV-1a: well spread, and without waiting, as the browser's own would. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1) value = Math.imul(value ^ text.charCodeAt(index), 0x01000193)
  value ^= value >>> 16
  value = Math.imul(value, 0x85ebca6b)
  value ^= value >>> 13
  value = Math.imul(value, 0xc2b2ae35)
  return (value ^ (value >>> 16)) >>> 0
}
