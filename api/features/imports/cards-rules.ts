/** Ghost's and MongoDB's ids. A run of digits in one of them passes for a card number now and then. */
const isHexId = (text: string) => /^[0-9a-f]{24}$/i.test(text.trim()) && /[a-f]/i.test(text)

/** As few as a card has, as people write them, in groups or not. */
const enoughDigits = /\d(?:[ -]?\d){12}/

/** Leaves out what could be a card number. Some membership sites' exports have them in custom fields. */
export function withoutCards(text: string): { text: string; cards: number } {
  if (!enoughDigits.test(text) || isHexId(text)) return { text, cards: 0 }
  const cards = runsIn(text).flatMap(cardsIn)
  const ends = [0, ...cards.map(({ to }) => to)]
  const starts = [...cards.map(({ from }) => from), text.length]
  return { text: ends.map((end, at) => text.slice(end, starts[at])).join(''), cards: cards.length }
}

type Part = { from: number; to: number }

/**
 * Groups of digits with one space or hyphen between them. `at` is where each group begins among the digits of all groups. A plus
 * makes the first group a phone number's, which is no part of a card's.
 */
type Run = { groups: Part[]; at: number[]; digits: Digits; isPhone: boolean; to: number }

const isDigit = (code: number) => code >= 48 && code <= 57

function runsIn(text: string): Run[] {
  const runs: Run[] = []
  for (let from = 0; from < text.length; from += 1) {
    if (!isDigit(text.charCodeAt(from))) continue
    const run = runFrom(text, from)
    runs.push(run)
    from = run.to
  }
  return runs
}

function runFrom(text: string, from: number): Run {
  const isPhone = text[from - 1] === '+'
  const [groups, at]: [Part[], number[]] = [[], []]
  const digits = startDigits()
  let [begins, to] = [from, from]
  for (;;) {
    const isCounted = !isPhone || begins > from
    if (isCounted) at.push(digits.all.length)
    for (let code = text.charCodeAt(to); isDigit(code); code = text.charCodeAt(to)) {
      if (isCounted) addDigit(digits, code - 48)
      to += 1
    }
    if (isCounted) groups.push({ from: begins, to })
    if (!isGap(text.charCodeAt(to)) || !isDigit(text.charCodeAt(to + 1))) break
    begins = to + 1
    to = begins
  }
  return { groups, at, digits, isPhone, to }
}

const isGap = (code: number) => code === 32 || code === 45

/**
 * `sums` are Luhn's over all digits before each, where those at even places count double and where those at odd ones do. So any
 * stretch is checked without going through it.
 */
type Digits = { all: number[]; sums: [number[], number[]] }

const startDigits = (): Digits => ({ all: [], sums: [[0], [0]] })

function addDigit({ all, sums: [even, odd] }: Digits, digit: number): void {
  const at = all.length
  const doubled = digit < 5 ? digit * 2 : digit * 2 - 9
  even.push((even[at] ?? 0) + (at % 2 === 0 ? doubled : digit))
  odd.push((odd[at] ?? 0) + (at % 2 === 0 ? digit : doubled))
  all.push(digit)
}

/** The groups of a run that could be a card number, from the left, as many together as can be. An expiry or a code may follow. */
function cardsIn(run: Run): Part[] {
  const found: Part[] = []
  for (let first = 0; first < run.groups.length; first += 1) {
    const last = lastOfCard(run, first)
    const [from, to] = [run.groups[first]?.from, run.groups[last]?.to]
    if (from === undefined || to === undefined) continue
    found.push({ from, to })
    first = last
  }
  return found
}

const [minDigits, maxDigits] = [13, 19]

/** The last group of the longest card number that begins with the group at `first`; -1 if none does. */
function lastOfCard({ groups, at, digits, isPhone }: Run, first: number): number {
  const from = at[first] ?? 0
  let found = -1
  for (let last = first; last < groups.length; last += 1) {
    const to = at[last + 1] ?? digits.all.length
    if (to - from > maxDigits) break
    const isWhole = first === 0 && last === groups.length - 1 && !isPhone
    if (to - from >= minDigits && isCard(digits, { from, to }, isWhole)) found = last
  }
  return found
}

/** A tenth of all numbers pass the check. So digits that share a cell with others must also look like a card's. */
const isCard = (digits: Digits, part: Part, isWhole: boolean): boolean =>
  digits.all[part.from] !== 0 && (isWhole || looksLikeCard(digits.all[part.from], part)) && passesLuhn(digits, part)

/** Visa, Amex and Diners, most others, and the few with 19 digits. */
function looksLikeCard(first = 0, { from, to }: Part): boolean {
  const length = to - from
  if (length === 16) return first >= 2 && first <= 6
  if (length === 13 || length === 19) return first === 4 || (first === 6 && length === 19)
  return first === 3 && (length === 14 || length === 15)
}

/** The last digit counts once, the one before it double, and so on. */
function passesLuhn({ sums: [even, odd] }: Digits, { from, to }: Part): boolean {
  const sums = to % 2 === 0 ? even : odd
  return ((sums[to] ?? 0) - (sums[from] ?? 0)) % 10 === 0
}
