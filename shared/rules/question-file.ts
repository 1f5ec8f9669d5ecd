import type { QuestionFile } from '#shared/contract/questions.ts'
import { dayMs } from './durations.ts'

type Arrival = {
  bytes: number
  received: number
  readyAt: string | null
  refusal: string | null
  /** When the message that it's of came. */
  announcedAt: string
}

/** A phone that's lost, or was wiped, never sends the rest. */
export const missingAfterMs = 7 * dayMs

/** How a file that was announced stands. A coach isn't told for ever that it's on its way. */
export function stateOfQuestionFile(file: Arrival, now: Date): QuestionFile['state'] {
  if (file.readyAt !== null) return 'ready'
  if (file.refusal !== null) return 'refused'
  const isLate = now.getTime() - Date.parse(file.announcedAt) > missingAfterMs
  return isLate && file.received < file.bytes ? 'missing' : 'coming'
}

/** One that's missing is taken too, if it comes after all. */
export const isStillTaken = ({ state }: Pick<QuestionFile, 'state'>): boolean =>
  state === 'coming' || state === 'missing'
