import type { QuestionFile } from '#shared/contract/questions.ts'

const nouns = { photo: 'photo', voice: 'voice note' }

/** Why there's nothing to see or hear yet. Null: it's all here. `member`: who sent it, null for a coach. */
export function fileStanding(
  { kind, state, bytes, received, refusal }: QuestionFile,
  member: string | null,
): string | null {
  if (state === 'ready') return null
  const noun = nouns[kind]
  if (member === null && (state === 'refused' || state === 'missing'))
    return refusal ?? `This ${noun} didn’t arrive. Record it again.`
  if (state === 'refused')
    return `This ${noun} didn’t come through. ${refusal === null ? 'Ask them to send it again.' : `${member} sees: “${refusal}”`}`
  if (state === 'missing') return `A ${noun} didn’t arrive. Ask them to send it again.`
  const share = Math.floor((100 * received) / bytes)
  return `A ${noun} is on its way${share > 0 ? `: ${share}% is here` : ''}.`
}
