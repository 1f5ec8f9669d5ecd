/** In characters. A login accepts shorter ones than we allow now, because old accounts may have one. */
export const minPasswordLength = { atLogin: 6, new: 8 }

/**
 * What people type for a Latin letter because it looks the same. The packages that fold such characters cover all of Unicode,
 * digits and Latin letters too ("m" becomes "rn"), or go by sound, which turns a Cyrillic "р" into "r".
 */
const lookAlikes = {
  a: 'АаΑαɑ',
  b: 'ВвЬьΒβ',
  c: 'СсϹϲ',
  d: 'ԁđĐ',
  e: 'ЕеΕε',
  g: 'ɡ',
  h: 'НнһҺΗ',
  i: 'ІіΙιı',
  j: 'Јј',
  k: 'КкΚκ',
  l: 'ӀӏłŁ',
  m: 'МмΜ',
  n: 'Νη',
  o: 'ОоΟοσøØ',
  p: 'РрΡρ',
  q: 'ԛԚ',
  r: 'г',
  s: 'Ѕѕ',
  t: 'ТтΤτ',
  u: 'υμ',
  v: 'νѵ',
  w: 'ԝԜω',
  x: 'ХхΧχ',
  y: 'УуΥγ',
  z: 'Ζ',
}
const latin = new Map(Object.entries(lookAlikes).flatMap(([letter, signs]) => [...signs].map((sign) => [sign, letter])))

/**
 * Makes a function that lower-cases a text, folds it to Latin letters without accents, and drops whatever matches `besides`. */
const keptOf = (besides: RegExp) => (text: string) =>
  [...text.normalize('NFKD')]
    .map((sign) => latin.get(sign) ?? sign)
    .join('')
    .toLowerCase()
    .replace(besides, '')

const lettersOf = keptOf(/[^\p{Letter}]/gu)
/** Also checked, in case the address is a phone number. */
const lettersAndDigitsOf = keptOf(/[^\p{Letter}\p{Number}]/gu)
const withSignsOf = keptOf(/[^\p{Letter}\p{Number}@$]/gu)
/** Keeps the signs that double as word separators too. */
const withAllSignsOf = keptOf(/[^\p{Letter}\p{Number}@$!|€+]/gu)
/** Keeps everything between words. */
const asTyped = keptOf(/[\p{Mark}\p{Format}]/gu)

/** Letters and what people type for them: a capital I is an l as well. No character is in two of them. */
const standIns = ['a4@', 'b8', 'e3€', 'g9', 'il1!|', 'o0', 's5$', 't7+', 'z2']
const standInsOf = (letter: string) => `[${standIns.find((signs) => signs.includes(letter)) ?? letter}]`

/** Part of many names, but not names themselves. */
const articles = new Set(['the', 'and', 'for', 'our'])

/** Too short to count inside another word: "tom" isn't in "tomato". */
const isShort = (word: string) => /^\p{Letter}{3}$/u.test(word)

/**
 * Whether a password is little more than the words people would try here first: the site's name, or the person's own email address
 * or phone number, in any dialling form, even with signs for letters. Digits and signs around letters, and signs around digits,
 * don't help. Five other characters do.
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

/** Strips the dialling prefix from a British number, which depends on where you call from. */
const dialled = (word: string) => word.replace(/^(?:0044|44|0)(?=\d{9,10}$)/, '')

type Kept = (text: string) => string

/** `signsFor` is a pattern of what may replace a letter. An article on its own isn't the name, and adds nothing either. */
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

/** Replaces each word with a space. Short words go only where they aren't part of a longer one. */
function without(words: readonly string[], text: string, signsFor?: Kept): string {
  const patternOf = (word: string) => [...word].map(signsFor ?? String).join('')
  const long = words.filter((word) => !isShort(word)).map(patternOf)
  // Without duplicates: the regular expression would try every mixture of patterns that match the same text.
  const short = [...new Set(words.filter(isShort).map(patternOf))]
  const alone = short.length === 0 ? [] : [`(?<!\\p{Letter})(?:${short.join('|')})+(?!\\p{Letter})`]
  // If signs or digits replace every letter it isn't the word: it's a number.
  const blank = (found: string) => (signsFor === undefined || /\p{Letter}/u.test(found) ? ' ' : found)
  return [...long, ...alone].reduce((rest, pattern) => rest.replace(new RegExp(pattern, 'gu'), blank), text)
}
