/** In characters. A login takes shorter ones than may be set today: old accounts may have one. */
export const minPasswordLength = { atLogin: 6, new: 8 }

/** A text in lower case, without accents, and without all that `besides` stands for. */
const keptOf = (besides: RegExp) => (text: string) => text.normalize('NFKD').toLowerCase().replace(besides, '')

const lettersOf = keptOf(/[^\p{Letter}]/gu)
/** Looked at besides, for an address that is a telephone number. */
const lettersAndDigitsOf = keptOf(/[^\p{Letter}\p{Number}]/gu)
const withSignsOf = keptOf(/[^\p{Letter}\p{Number}@$]/gu)

/** What is typed in a letter's place. */
const standIns: Record<string, string> = { a: '4@', e: '3', i: '1', l: '1', o: '0', s: '5$' }

/**
 * Whether a password is little more than words that anybody tries here first: the site's name, or the person's own
 * address, also where signs stand for its letters, or its number as it is dialled from elsewhere. Digits and signs around
 * letters, and signs around digits, add nothing; five characters of something else do.
 */
export function isGuessable(password: string, { brand, email }: { brand: readonly string[]; email: string }): boolean {
  const [local = '', host = ''] = email.split('@')
  const parts = [/[^\p{Letter}]+/u, /[^\p{Letter}\p{Number}]+/u].flatMap((between) => local.split(between))
  const words = [...brand, email, local, ...parts, host, host.split('.')[0] ?? '']
  const letters = words.map(lettersOf)
  const numbers = words.map(lettersAndDigitsOf)
  return (
    isLittle(without(letters, lettersOf(password), plainly), lettersOf) ||
    isLittle(
      without([...numbers, ...numbers.map(dialled)], lettersAndDigitsOf(password), plainly),
      lettersAndDigitsOf,
    ) ||
    isLittle(without(letters, withSignsOf(password), withStandIns), lettersOf)
  )
}

/** A British number without what is dialled before it, which differs from place to place. */
const dialled = (word: string) => word.replace(/^(?:0044|44|0)(?=\d{9,10}$)/, '')

type Take = (text: string, word: string) => string

const plainly: Take = (text, word) => text.replaceAll(word, ' ')

/** Digits alone are no word: they are somebody's number. */
function withStandIns(text: string, word: string): string {
  const letters = [...word].map((letter) => `[${letter}${standIns[letter] ?? ''}]`)
  return text.replace(new RegExp(letters.join(''), 'gu'), (found) => (/\p{Letter}/u.test(found) ? ' ' : found))
}

/** The longest words are taken out first, and each leaves a space. */
const without = (words: readonly string[], text: string, take: Take) =>
  [...new Set(words)]
    .filter(({ length }) => length >= 3)
    .sort((one, other) => other.length - one.length)
    .reduce(take, text)

const isLittle = (rest: string, keep: (text: string) => string) => rest.includes(' ') && keep(rest).length < 5
