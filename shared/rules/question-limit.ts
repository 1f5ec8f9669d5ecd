import type { QuestionAllowance } from '#shared/contract/questions.ts'
import { addDays, londonDay, nextMonth } from './london.ts'

/** How many questions count in the London day and month of an instant. */
export type QuestionsUsed = { onDay: number; inMonth: number }

/** `perMonth`: null without a limit, 0 for none. */
export type QuestionLimits = { perDay: number; perMonth: number | null }

type Place = { countedAt: Date } | { from: string | null }

/** Longer than any phone is away. An older stamp is that of a wrong clock. */
const oldestStampMs = 92 * 86_400_000

/** When something was written: as its phone says, but neither later than now nor long before. */
export function writtenAt(stamp: string, now: Date): Date {
  const at = Date.parse(stamp)
  const isPlausible = at <= now.getTime() && at >= now.getTime() - oldestStampMs
  return isPlausible ? new Date(at) : now
}

const hasRoom = ({ onDay, inMonth }: QuestionsUsed, { perDay, perMonth }: QuestionLimits): boolean =>
  onDay < perDay && (perMonth === null || inMonth < perMonth)

/**
 * The instant in whose London day and month a question counts: the one it was written in while there's room in them, so that a
 * phone that had no signal loses nothing by it, and else the one it comes in. Without room in either, the first day from which it goes.
 */
export function placeOfQuestion(
  { at, now, limits }: { at: Date; now: Date; limits: QuestionLimits },
  used: (instant: Date) => QuestionsUsed,
): Place {
  if (limits.perMonth === 0) return { from: null }
  const countedAt = [at, now].find((instant) => hasRoom(used(instant), limits))
  return countedAt === undefined ? { from: firstDayWithRoom(now, used(now), limits) } : { countedAt }
}

/** The first day on which another question goes: today if there's room now, null if none ever does. */
function firstDayWithRoom(now: Date, { inMonth }: QuestionsUsed, { perMonth }: QuestionLimits): string | null {
  if (perMonth === 0) return null
  const today = londonDay(now)
  // What counts tomorrow isn't known before, and nothing counts in days to come.
  return perMonth !== null && inMonth >= perMonth ? `${nextMonth(today.slice(0, 7))}-01` : addDays(today, 1)
}

/** What's left now. */
export function questionAllowance(now: Date, used: QuestionsUsed, limits: QuestionLimits): QuestionAllowance {
  const { perDay, perMonth } = limits
  const leftThisMonth = perMonth === null ? null : Math.max(0, perMonth - used.inMonth)
  const leftToday = Math.min(Math.max(0, perDay - used.onDay), leftThisMonth ?? perDay)
  return { perMonth, leftThisMonth, leftToday, from: leftToday > 0 ? null : firstDayWithRoom(now, used, limits) }
}
