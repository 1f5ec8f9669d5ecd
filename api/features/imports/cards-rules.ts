/** Digits as people write them, in groups or not. A plus makes them a phone number. */
const digitRuns = /\+?\d(?:[ -]?\d){12,}/g
/** Ghost's and MongoDB's ids. A run of digits in one of them passes for a card number now and then. */
const isHexId = (text: string) => /^[0-9a-f]{24}$/i.test(text.trim()) && /[a-f]/i.test(text)

/** Leaves out what could be a card number. Some membership sites' exports have them in custom fields. */
export function withoutCards(text: string): { text: string; cards: number } {
  if (isHexId(text)) return { text, cards: 0 }
  let cards = 0
  const kept = text.replace(digitRuns, (run) => {
    const found = cardsIn(run)
    cards += found.length
    return found.reduce((left, card) => left.replace(card, ''), run)
  })
  return { text: kept, cards }
}

const maxDigits = 19

/** The groups of a run that could be a card number, from the left, as many together as can be. An expiry or a code may follow. */
function cardsIn(run: string): string[] {
  const groups = [...run.matchAll(/(?<![+\d])\d+/g)]
  const found: string[] = []
  for (let at = 0; at < groups.length; at += 1) {
    const pieces = groups.slice(at, at + maxDigits).map((to) => run.slice(groups[at]?.index, to.index + to[0].length))
    const last = pieces.findLastIndex((piece) => isCard(piece, run))
    if (last >= 0) found.push(pieces[last] ?? '')
    at += Math.max(last, 0)
  }
  return found
}

/** Visa, Amex and Diners, most others, and the few with 19 digits. */
const cardShape = /^(?:4\d{12}|3\d{13,14}|[2-6]\d{15}|[46]\d{18})$/

/** A tenth of all numbers pass the check. So digits that share a cell with others must also look like a card's. */
function isCard(piece: string, run: string): boolean {
  const digits = piece.replace(/\D/g, '')
  return /^[1-9]\d{12,18}$/.test(digits) && (piece === run || cardShape.test(digits)) && passesLuhn(digits)
}

function passesLuhn(digits: string): boolean {
  let sum = 0
  for (let at = 0; at < digits.length; at += 1) {
    const digit = Number(digits[digits.length - 1 - at])
    const doubled = at % 2 === 0 ? digit : digit * 2
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0
}
