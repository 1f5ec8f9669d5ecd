import { foldText } from '#shared/rules/fold-text.ts'

/** What a search looks for: each of the words, or the digits of a phone number. */
export type Sought = { words: readonly string[]; phone: string | null }

const maxWords = 8

export const soughtIn = (q = ''): Sought => ({
  words: foldText(q)
    .split(/,*(?:\s+|$)/)
    .filter(Boolean)
    .slice(0, maxWords),
  phone: phoneIn(q),
})

/** What a UK number has in common with and without its +44 or 0: nine digits at most. Null if this is none, nor its beginning. */
function phoneIn(q: string): string | null {
  const national = q.replace(/\D/g, '').replace(/^(?:00?44|44|0)0?/, '')
  return /^[\d\s()+./-]+$/.test(q) && national.length >= 5 ? national.slice(-9) : null
}
