import type { QuestionFile } from '#shared/contract/questions.ts'
import { dayMs } from '#shared/rules/durations.ts'

/** A phone that's lost, or wiped, never sends the rest. */
const givenUpAfterMs = 7 * dayMs

const nouns = { photo: 'photo', voice: 'voice note' }

/** Why there's nothing to see or hear yet. Null: it's all here. `at`: when its message was written. */
export function fileStanding({ kind, state, bytes, received, refusal }: QuestionFile, at: string): string | null {
  if (state === 'ready') return null
  const noun = nouns[kind]
  if (state === 'refused')
    return `This ${noun} didn’t come through. ${refusal === null ? 'Ask them to send it again.' : `The sender sees: “${refusal}”`}`
  if (Date.now() - Date.parse(at) > givenUpAfterMs) return `A ${noun} didn’t arrive. Ask them to send it again.`
  const share = Math.floor((100 * received) / bytes)
  return `A ${noun} is on its way${share > 0 ? `: ${share}% is here` : ''}.`
}
