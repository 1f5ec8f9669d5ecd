import { AppError } from '#api/errors.ts'

/** Most characters of one value. A longer one, such as a picture pasted into a text, is never held whole. */
export const mostValue = 1024 ** 2

export const tooLong = 'It has more than 1 MB in one place, such as a picture pasted into its text.'

/** Ends a value that was cut. No text has it: Unicode keeps it free. */
const cutMark = '\uFFFF'

export const isCut = (text: string | null | undefined): boolean => text?.endsWith(cutMark) === true

/** In any of its values. */
export const hasCut = (value: unknown): boolean => JSON.stringify(value).includes(cutMark)

export async function* textOf(chunks: AsyncIterable<Uint8Array>, encoding = 'utf-8'): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding)
  for await (const bytes of chunks) yield decoder.decode(bytes, { stream: true })
  yield decoder.decode()
}

/** XML whose CDATA sections are cut, because its parser holds each of them whole. */
export async function* withoutLongSections(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let [held, isInside, length] = ['', false, 0]
  for await (const piece of pieces) {
    const text = held + piece
    const kept: string[] = []
    for (let at = 0; ; ) {
      const mark = isInside ? ']]>' : '<![CDATA['
      const found = text.indexOf(mark, at)
      // The mark may begin at the end of this piece.
      const end = found >= 0 ? found : Math.max(at, text.length - mark.length + 1)
      const part = text.slice(at, end)
      kept.push(isInside ? part.slice(0, Math.max(0, mostValue - length)) : part)
      length += part.length
      if (found < 0) {
        held = text.slice(end)
        break
      }
      kept.push(isInside && length > mostValue ? cutMark + mark : mark)
      at = found + mark.length
      ;[isInside, length] = [!isInside, 0]
    }
    yield kept.join('')
  }
  yield held
}

const codeOf = (mark: string) => mark.charCodeAt(0)
const [quote, backslash, letterU] = [codeOf('"'), codeOf('\\'), codeOf('u')]
const [openers, closers] = [
  [codeOf('['), codeOf('{')],
  [codeOf(']'), codeOf('}')],
]
/** No export is nested as deeply, and the parser takes longer with each level. */
const mostLevels = 200

/** JSON whose strings are cut, because its parser holds each of them whole. */
export async function* withoutLongStrings(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  const state: Strings = { isInside: false, isCut: false, length: 0, escaped: 0, levels: 0 }
  for await (const piece of pieces) yield cutStrings(piece, state)
}

/** `escaped` is how many characters of an escape are still to come. */
type Strings = { isInside: boolean; isCut: boolean; length: number; escaped: number; levels: number }

function cutStrings(piece: string, state: Strings): string {
  const kept: string[] = []
  let from = 0
  for (let at = 0; at < piece.length; at += 1) {
    const code = piece.charCodeAt(at)
    if (!state.isInside) {
      if (code === quote) Object.assign(state, { isInside: true, isCut: false, length: 0, escaped: 0 })
      else countLevels(state, code)
      continue
    }
    const isEnd = code === quote && state.escaped === 0
    if (isEnd && state.isCut) {
      kept.push(cutMark)
      from = at
    } else if (!isEnd && !state.isCut && state.length >= mostValue && state.escaped === 0) {
      kept.push(piece.slice(from, at))
      state.isCut = true
    }
    if (isEnd) state.isInside = false
    state.escaped = escapedAfter(state.escaped, code)
    state.length += 1
  }
  if (!(state.isInside && state.isCut)) kept.push(piece.slice(from))
  return kept.join('')
}

function escapedAfter(escaped: number, code: number): number {
  if (escaped === 0) return code === backslash ? 1 : 0
  return escaped === 1 && code === letterU ? 4 : escaped - 1
}

function countLevels(state: Strings, code: number): void {
  if (openers.includes(code)) state.levels += 1
  if (closers.includes(code)) state.levels -= 1
  if (state.levels > mostLevels)
    throw new AppError('invalid', 'This file is built in a way we can’t read. Export it again.')
}
