/** In characters. A login takes shorter ones than may be set today: old accounts may have one. */
export const minPasswordLength = { atLogin: 6, new: 8 }

/** A text in lower case, without accents, and without all that `besides` stands for. */
const keptOf = (besides: RegExp) => (text: string) => text.normalize('NFKD').toLowerCase().replace(besides, '')

/**
 * What is left of a word for somebody who guesses: its letters alone. Its digits too are looked at besides, for an address
 * that is a telephone number.
 */
const waysToLook = [keptOf(/[^\p{Letter}]/gu), keptOf(/[^\p{Letter}\p{Number}]/gu)]

/**
 * Whether a password is little more than words that anybody tries here first: the site's name, or the person's own
 * address. Digits and signs around letters, and signs around digits, add nothing; five characters of something else do.
 */
export function isGuessable(password: string, { brand, email }: { brand: readonly string[]; email: string }): boolean {
  const [local = '', host = ''] = email.split('@')
  const parts = [/[^\p{Letter}]+/u, /[^\p{Letter}\p{Number}]+/u].flatMap((between) => local.split(between))
  const words = [...brand, email, local, ...parts, host, host.split('.')[0] ?? '']
  return waysToLook.some((keep) => isLittleMoreThan(words.map(keep), keep(password)))
}

function isLittleMoreThan(words: readonly string[], password: string): boolean {
  const rest = [...new Set(words)]
    .filter(({ length }) => length >= 3)
    .sort((one, other) => other.length - one.length)
    .reduce((left, word) => left.replaceAll(word, ' '), password)
  return rest.includes(' ') && rest.replaceAll(' ', '').length < 5
}
