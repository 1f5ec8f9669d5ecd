import type { BadgeTone } from '#pwa/ui/badge.tsx'
import type { InboxQuestion, QuestionState } from '#shared/contract/questions.ts'
import { dayMs } from '#shared/rules/durations.ts'
import { plural } from '#shared/rules/plural.ts'

/** What owners call a question's state. How long one waits says more, so a list says that instead. */
export const questionStateLabels: Record<QuestionState, string> = {
  sent: 'New',
  read: 'Not answered',
  answered: 'Answered',
  closed: 'Closed',
  withdrawn: 'Withdrawn',
}

export const questionTones: Record<QuestionState, BadgeTone> = {
  sent: 'open',
  read: 'open',
  answered: 'ok',
  closed: 'plain',
  withdrawn: 'plain',
}

const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** How long someone has waited, in the largest unit that's whole: “12 minutes”, “5 hours”, “3 days”. */
export function waitOf(since: string, now = Date.now()): string {
  const ms = Math.max(0, now - Date.parse(since))
  if (ms < hourMs) return plural(Math.max(1, Math.floor(ms / minuteMs)), 'minute')
  if (ms < 2 * dayMs) return plural(Math.floor(ms / hourMs), 'hour')
  return plural(Math.floor(ms / dayMs), 'day')
}

export const waitsOverADay = (since: string, now = Date.now()) => now - Date.parse(since) > dayMs

/** “Waiting 5 hours”, or what became of it. */
export const standingOf = ({ waitsSince, state }: Pick<InboxQuestion, 'waitsSince' | 'state'>): string =>
  waitsSince === null ? questionStateLabels[state] : `Waiting ${waitOf(waitsSince)}`

export const standingTone = ({ waitsSince, state }: Pick<InboxQuestion, 'waitsSince' | 'state'>): BadgeTone =>
  waitsSince !== null && waitsOverADay(waitsSince) ? 'bad' : questionTones[state]

/** “2 photos, 1 voice note, still coming”. */
export const enclosedText = ({ photos, voiceNotes, isComing }: InboxQuestion): string =>
  [
    photos > 0 && plural(photos, 'photo'),
    voiceNotes > 0 && plural(voiceNotes, 'voice note'),
    isComing && 'still coming',
  ]
    .filter(Boolean)
    .join(', ')
