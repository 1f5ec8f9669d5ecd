import { cssOf, hasCss } from './pasted-looks.ts'

// Word's lists are paragraphs: each draws its own number or bullet before its words.

const wordMarker = /^\s*(?:[·•§▪–-]|o(?=\s)|\(?(?:(?:\d+\.)*\d+|[a-z]|[ivx]{1,5})[.)])\s*$/i

/** Safari takes Word’s own marks off what’s pasted. Left are the class, and the number or bullet in a span before the words. */
const isCleanedWordItem = (element: Element) =>
  /MsoListParagraph/.test(element.className) &&
  element.firstChild instanceof HTMLSpanElement &&
  wordMarker.test(element.firstChild.textContent ?? '')

export const isWordItem = (element: Element) => hasCss(element, /mso-list\s*:\s*l\d/i) || isCleanedWordItem(element)

/** `mso-list:l0 level2 lfo1`, or half an inch a level. */
function levelOfWordItem(element: Element): number {
  const css = cssOf(element)
  const [, points] = /margin(?:-left)?\s*:\s*(?:[^\s;]+\s+){0,3}([\d.]+)pt/i.exec(css) ?? []
  return Number(/level(\d)/.exec(css)?.[1]) || Math.max(1, Math.round(Number(points ?? 36) / 36))
}

/** Takes what Word draws before the words out of the item. `level` is how deep it stands, from 1. `number` is null for a bullet. */
export function takeWordMarker(element: Element): { level: number; marker: string; number: number | null } {
  const level = levelOfWordItem(element)
  const drawn = isCleanedWordItem(element)
    ? [...element.children].slice(0, 1)
    : [...element.querySelectorAll('[data-css]')].filter((one) => hasCss(one, /mso-list\s*:\s*ignore/i))
  const marker = drawn.map((one) => one.textContent ?? '').join('')
  for (const one of drawn) one.remove()
  return { level, marker: marker.trim(), number: numberIn(marker) }
}

/** Of “2.”, “(b)” or “1.2)”. Of letters only the first says where it stands; others go on. */
function numberIn(marker: string): number | null {
  const [, text = ''] = /^\s*\(?((?:\d+\.)*\d+|[a-z]{1,6})[.)]/i.exec(marker) ?? []
  if (text === '') return null
  const last = text.split('.').at(-1) ?? ''
  if (/^\d+$/.test(last)) return Number(last)
  return /^[ai]$/i.test(last) ? 1 : 2
}
