/** In characters. A login takes shorter ones than may be set today: old accounts may have one. */
export const minPasswordLength = { atLogin: 6, new: 8 }

/**
 * What people type for a Latin letter because it looks the same. Packages that fold such signs fold all of Unicode, digits and
 * Latin letters too ("m" becomes "rn"), or go by the sound, which takes a Cyrillic "р" for an "r".
 */
const lookAlikes = {
  ...{ a: 'АаΑαɑ', b: 'ВвЬьΒβ', c: 'СсϹϲ', d: 'ԁđĐ', e: 'ЕеΕε', g: 'ɡ', h: 'НнһҺΗ', i: 'ІіΙιı', j: 'Јј', k: 'КкΚκ' },
  ...{ l: 'ӀӏłŁ', m: 'МмΜ', n: 'Νη', o: 'ОоΟοσøØ', p: 'РрΡρ', q: 'ԛԚ', r: 'г', s: 'Ѕѕ', t: 'ТтΤτ', u: 'υμ', v: 'νѵ' },
  ...{ w: 'ԝԜω', x: 'ХхΧχ', y: 'УуΥγ', z: 'Ζ' },
}
const latin = new Map(Object.entries(lookAlikes).flatMap(([letter, signs]) => [...signs].map((sign) => [sign, letter])))

/** A text in lower case and Latin letters, without accents, and without all that `besides` stands for. */
const keptOf = (besides: RegExp) => (text: string) =>
  [...text.normalize('NFKD')]
    .map((sign) => latin.get(sign) ?? sign)
    .join('')
    .toLowerCase()
    .replace(besides, '')

const lettersOf = keptOf(/[^\p{Letter}]/gu)
/** Looked at besides, for an address that is a telephone number. */
const lettersAndDigitsOf = keptOf(/[^\p{Letter}\p{Number}]/gu)
const withSignsOf = keptOf(/[^\p{Letter}\p{Number}@$]/gu)
/** With those that also stand between words. */
const withAllSignsOf = keptOf(/[^\p{Letter}\p{Number}@$!|€+]/gu)
/** With all that stands between words. */
const asTyped = keptOf(/[\p{Mark}\p{Format}]/gu)

/** Letters, and what is typed in their place: a capital I is an l as well. No sign stands in two of them. */
const standIns = ['a4@', 'b8', 'e3€', 'g9', 'il1!|', 'o0', 's5$', 't7+', 'z2']
const standInsOf = (letter: string) => `[${standIns.find((signs) => signs.includes(letter)) ?? letter}]`

/** In many names, and no name themselves. */
const articles = new Set(['the', 'and', 'for', 'our'])

/** Too short to be a name within another word: "tom" says nothing of "tomato". */
const isShort = (word: string) => /^\p{Letter}{3}$/u.test(word)

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
  const allNumbers = [...numbers, ...numbers.map(dialled)]
  return (
    isLittleBesides(letters, lettersOf(password), lettersOf) ||
    isLittleBesides(allNumbers, lettersAndDigitsOf(password), lettersAndDigitsOf) ||
    [withSignsOf, withAllSignsOf, asTyped].some((textOf) =>
      isLittleBesides(letters, textOf(password), lettersOf, standInsOf),
    )
  )
}

/** A British number without what is dialled before it, which differs from place to place. */
const dialled = (word: string) => word.replace(/^(?:0044|44|0)(?=\d{9,10}$)/, '')

type Kept = (text: string) => string

/** `signsFor` is a pattern of what stands for a letter. An article of the name, alone, is no part of it, and adds nothing either. */
function isLittleBesides(words: readonly string[], text: string, keptOf: Kept, signsFor?: Kept): boolean {
  const counted = [...new Set(words)]
    .filter(({ length }) => length >= 3)
    .sort((one, other) => other.length - one.length)
  const isArticle = (word: string) => articles.has(word)
  const rest = without(
    counted.filter((word) => !isArticle(word)),
    text,
    signsFor,
  )
  return rest !== text && keptOf(without(counted.filter(isArticle), rest, signsFor)).length < 5
}

/** Each leaves a space; those that are short where nothing else stands beside them. */
function without(words: readonly string[], text: string, signsFor?: Kept): string {
  const patternOf = (word: string) => [...word].map(signsFor ?? String).join('')
  const long = words.filter((word) => !isShort(word)).map(patternOf)
  // Each once: of several that match the same text, every mixture would be tried.
  const short = [...new Set(words.filter(isShort).map(patternOf))]
  const alone = short.length === 0 ? [] : [`(?<!\\p{Letter})(?:${short.join('|')})+(?!\\p{Letter})`]
  // Signs and digits that stand for every letter are no word: they are somebody's number.
  const blank = (found: string) => (signsFor === undefined || /\p{Letter}/u.test(found) ? ' ' : found)
  return [...long, ...alone].reduce((rest, pattern) => rest.replace(new RegExp(pattern, 'gu'), blank), text)
}
