/** In characters. A login takes shorter ones than may be set today: old accounts may have one. */
export const minPasswordLength = { atLogin: 6, new: 8 }

/** What is left of a word for somebody who guesses: letters alone, in lower case, without accents. */
const lettersOf = (text: string) =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{Letter}]/gu, '')

/**
 * Whether a password is little more than words that anybody tries here first: the site's name, or the person's own
 * address. Digits and signs around them add nothing; five letters of something else do.
 */
export function isGuessable(password: string, { brand, email }: { brand: readonly string[]; email: string }): boolean {
  const [local = '', host = ''] = email.split('@')
  const words = [...brand, email, local, ...local.split(/[^\p{Letter}]+/u), host, host.split('.')[0] ?? '']
  const known = [...new Set(words.map(lettersOf))].filter(({ length }) => length >= 3)
  const rest = known
    .sort((one, other) => other.length - one.length)
    .reduce((left, word) => left.replaceAll(word, ' '), lettersOf(password))
  return rest.includes(' ') && rest.replaceAll(' ', '').length < 5
}
