import { whenOf } from '#pwa/features/members/calls/call-texts.ts'
import type { ShownAbout } from '#pwa/sync/progress/question-rows.ts'
import type { QuestionRow, SendState, ThreadFile, WaitReason } from '#pwa/sync/questions/shapes.ts'
import type { BadgeTone } from '#pwa/ui/badge.tsx'
import { formatClock, formatLongDate, londonDay } from '#shared/rules/london.ts'
import { plural } from '#shared/rules/plural.ts'
import { formatPosition } from '#shared/rules/video.ts'

type Shown = { tone: BadgeTone; label: string }

/** How a question stands, in a word or two. */
export function stateBadge({ state, filesLeft }: Pick<QuestionRow, 'state' | 'filesLeft'>): Shown {
  switch (state.kind) {
    case 'waiting':
      return { tone: 'wait', label: 'Waiting to send' }
    case 'later':
      return { tone: 'wait', label: `Sending on ${formatLongDate(state.from)}` }
    case 'sending':
      return { tone: 'wait', label: 'Sending' }
    case 'refused':
      return { tone: 'bad', label: 'Couldn’t send' }
    case 'sent':
      return filesLeft > 0 ? { tone: 'wait', label: 'Sending' } : { tone: 'plain', label: 'Sent' }
    case 'read':
      return { tone: 'plain', label: 'Read by your coach' }
    case 'answered':
      return { tone: 'ok', label: 'Answered' }
    case 'closed':
      return { tone: 'plain', label: 'Closed' }
    case 'withdrawn':
      return { tone: 'plain', label: 'Withdrawn' }
  }
}

const waitTexts: Record<WaitReason, string> = {
  signal: 'We’ll send it when you’re back in range.',
  server: 'Something’s wrong at our end, so we’ll keep trying.',
  many: 'You’ve sent a lot in one go. We’ll send the rest soon.',
  login: 'Log in again and we’ll send it.',
  access: 'You haven’t got access right now. We’ll send it once you have.',
  member: 'Someone else is logged in, so we’ll send it when you log in again.',
}

/** When it goes. Null once there's nothing left to say. */
export function whenText(state: SendState, hasNetwork: boolean): string | null {
  if (state.kind === 'sending') return 'On its way.'
  if (state.kind === 'refused') return state.message
  if (state.kind === 'sent') return null
  if (state.kind === 'later')
    return `You’ve asked as many as you can for now. We’ll send it on ${formatLongDate(state.from)}.`
  // Without a network nothing is tried, so nothing has failed either.
  const why = state.why ?? (hasNetwork ? null : 'signal')
  return why ? waitTexts[why] : 'We’re about to send it.'
}

/** Where it is, and when it goes. `isKept`: it outlives this page. */
export function sendText(state: SendState, { hasNetwork, isKept }: { hasNetwork: boolean; isKept: boolean }) {
  const when = whenText(state, hasNetwork)
  if (state.kind !== 'waiting' && state.kind !== 'later') return when
  const where = isKept
    ? 'It’s safe on this phone.'
    : 'This phone can’t save it, so keep this page open until it’s sent.'
  return `${where} ${when}`
}

export function aboutText(about: ShownAbout): string {
  if (about.kind === 'call') return about.startsAt ? `Your call on ${whenOf(about.startsAt)}` : 'Your call'
  return about.seconds > 0 ? `${about.title}, at ${formatPosition(about.seconds)}` : about.title
}

/** What a row is called: its words, or what it holds where there are none. */
export function rowTitle({ excerpt, photos, hasVoice }: Pick<QuestionRow, 'excerpt' | 'photos' | 'hasVoice'>): string {
  if (excerpt !== '') return excerpt
  const parts = [...(hasVoice ? ['A voice note'] : []), ...(photos > 0 ? [plural(photos, 'photo')] : [])]
  return parts.length > 0 ? parts.join(' and ') : 'A question you withdrew'
}

/** Of what's added to a question below it. */
export const threadDraftKey = (questionId: string): string => `thread-${questionId}`

/** On the London day `today` it's a time, otherwise a day. */
export function whenSaid(at: string, today: string): string {
  const day = londonDay(new Date(at))
  return day === today ? `today, ${formatClock(at)}` : formatLongDate(day)
}

/** How far the files of a message have come; null once all are there. */
export function filesProgress(files: readonly ThreadFile[]): { sent: number; of: number; label: string } | null {
  const coming = files.filter(({ state }) => state === 'waiting' || state === 'sending')
  if (coming.length === 0) return null
  const sum = (read: (file: ThreadFile) => number) => coming.reduce((total, file) => total + read(file), 0)
  const what =
    coming.length === 1 ? (coming[0]?.kind === 'voice' ? 'your voice note' : 'your photo') : `${coming.length} files`
  return { sent: sum(({ sentBytes }) => sentBytes), of: sum(({ bytes }) => bytes), label: `Sending ${what}` }
}
