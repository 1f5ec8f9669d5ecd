/**
 * One caption: `from` and `until` in seconds, and its words without markup. Automatic captions roll: a caption begins with the lines
 * that are on the screen already. `said` is what's new in it then.
 */
export type Cue = { from: number; until: number; words: string; said?: string }

/** `problem` names the line to correct. */
export type ReadCaptions = { cues: Cue[] } | { problem: string }

const timing = /^\s*(?:(\d+):)?([0-5]\d):([0-5]\d)\.(\d{3})\s*-->\s*(?:(\d+):)?([0-5]\d):([0-5]\d)\.(\d{3})(?!\d)/

/** A line as WebVTT has it, and its number in the file it's from. */
type Line = { text: string; at: number }

/**
 * Captions as browsers read them: UTF-8 without a byte order mark, `\n` line ends, and the times of .srt and YouTube's .sbv as WebVTT
 * writes them. Where on the screen other programs put words isn't among the words.
 */
export const normaliseCaptions = (text: string): string =>
  webVttOf(text)
    .lines.map((line) => line.text)
    .join('\n')

function webVttOf(text: string): { lines: Line[]; example: string } {
  const given = text
    .replace(/\uFEFF/g, '')
    .replace(/\r\r\n|\r\n?/g, '\n')
    .split('\n')
    .map((line, index): Line => ({ text: line.replace(place, ''), at: index + 1 }))
  const isFilled = (line: Line) => line.text.trim() !== ''
  const lines = given.slice(Math.max(0, given.findIndex(isFilled)), given.findLastIndex(isFilled) + 1)
  const head: Line[] = ['WEBVTT', ''].map((word) => ({ text: word, at: 1 }))
  if (isSrt(lines.filter(isFilled)))
    return { lines: [...head, ...fromSrt(lines)], example: '00:00:01,000 --> 00:00:04,000' }
  const isSbv = sbvTimes.test(lines[0]?.text ?? '')
  return {
    lines: isSbv
      ? [...head, ...lines.map((line) => ({ ...line, text: line.text.replace(sbvTimes, '$1 --> $2') }))]
      : lines,
    example: '00:00:01.000 --> 00:00:04.000',
  }
}

/** What SubStation Alpha and MicroDVD write between the words: `{\an8}`, `{y:i}`. */
const place = /\{(?:\\[^{}]*|[a-z]:[^{}]*)\}/gi

const sbvTimes = /^(\d+:\d\d:\d\d\.\d{3}),(\d+:\d\d:\d\d\.\d{3})$/

/** Programs write `1:02:03.4`, `02:03 ,45`, `00:02:03:456` and `00:02:03` for what should be `00:02:03,456`. */
const srtTime = String.raw`(?:(\d+):)?(\d{1,2}):(\d{1,2})(?:\s*[,.]\s*(\d{1,3})|:(\d{3}))?`
const srtTimes = new RegExp(String.raw`^\s*${srtTime}\s*-{1,2}\s?>\s*${srtTime}(?![\d:,.])(.*)$`)
const isNumber = (text: string) => /^\s*\d+\s*$/.test(text)

/** Its captions begin with a number above the time, or the times have commas. */
const isSrt = ([first, second]: readonly Line[]): boolean =>
  isNumber(first?.text ?? '') ? /->/.test(second?.text ?? '') : /^[\s\d:]+,\s*\d{1,3}\s*-+\s?>/.test(first?.text ?? '')

/** Its words go on to the next number and time, over empty lines too. */
function fromSrt(lines: readonly Line[]): Line[] {
  const written: Line[] = []
  const begin = (at: number) => void (written.length > 0 && written.push({ text: '', at }))
  lines.forEach(({ text, at }, index) => {
    const times = srtTimes.exec(text)
    const number = written.at(-1)
    if (times !== null) {
      const isNumbered = number !== undefined && isNumber(number.text)
      if (isNumbered) written.pop()
      if (written.at(-1)?.text !== '') begin(at)
      if (isNumbered) written.push(number)
      written.push({ text: `${vttTime(times.slice(1, 6))} --> ${vttTime(times.slice(6, 11))}${times[11] ?? ''}`, at })
    } else if (text.trim() !== '') {
      // Of a caption without a time, which is named then.
      if (isNumber(text) && lines[index - 1]?.text.trim() === '') begin(at)
      written.push({ text: text.replace(/<(?!\/?[a-z][^<>]*>)/gi, '&lt;').replace(/(?<!:)\\[hN]/g, ' '), at })
    }
  })
  return written
}

function vttTime([hours = '0', minutes = '', seconds = '', part, ms = part ?? '']: readonly (
  | string
  | undefined
)[]): string {
  const two = (digits: string) => digits.padStart(2, '0')
  return `${two(hours)}:${two(minutes)}:${two(seconds)}.${ms.padEnd(3, '0')}`
}

/** Reads WebVTT (https://www.w3.org/TR/webvtt1/), .srt and .sbv. Names the line of what browsers would silently leave out. */
export function readCaptions(text: string): ReadCaptions {
  const { lines, example } = webVttOf(text)
  if (!/^WEBVTT(?:[ \t]|$)/.test(lines[0]?.text ?? ''))
    return { problem: 'Line 1: captions start with the word WEBVTT.' }
  const cues: LinedCue[] = []
  for (const lined of blocksOf(lines)) {
    const block = lined.map((line) => line.text)
    const index = block.findIndex((line) => line.includes('-->'))
    const isAside = index < 0 && /^(?:(?:NOTE|STYLE|REGION)(?:[ \t:]|$)|X-TIMESTAMP-MAP=)/.test(block[0] ?? '')
    if (isAside || block.every((line) => line.trim() === '')) continue
    const cue = index < 0 ? null : readCue(block.slice(index))
    // A caption's number stands above its time.
    const { at } = lined[index < 0 && isNumber(block[0] ?? '') ? 1 : Math.max(0, index)] ?? { at: 1 }
    if (cue === null) return { problem: `Line ${at}: a time such as ${example} should be here.` }
    if (cue.until < cue.from) return { problem: `Line ${at}: this caption ends before it starts.` }
    if (cue.words !== '') cues.push(cue)
  }
  if (cues.length === 0) return { problem: 'It has no captions.' }
  cues.sort((a, b) => a.from - b.from || b.until - a.until)
  return { cues: wordTimes.test(text) ? withoutRepeats(cues) : cues.map(({ lines: _, ...cue }) => cue) }
}

/** Only automatic captions have a time for each word. */
const wordTimes = /<(?:\d{2,}:)?[0-5]\d:[0-5]\d\.\d{3}>/

/** A screen has room for two or three. */
const mostLines = 4

const withoutRepeats = (cues: readonly LinedCue[]): Cue[] =>
  cues.map(({ lines, ...cue }, at) => {
    const before = cues[at - 1]?.lines ?? []
    // As many of the first lines as end the caption before.
    let same = Math.min(lines.length, before.length, mostLines)
    while (same > 0 && lines.slice(0, same).join('\n') !== before.slice(-same).join('\n')) same -= 1
    return same === 0 ? cue : { ...cue, said: lines.slice(same).join(' ') }
  })

/**
 * The blocks after the header. A block ends at an empty line, not at one of spaces, and at a time that isn't on its first two lines:
 * https://www.w3.org/TR/webvtt1/#collect-a-webvtt-block
 */
function blocksOf(lines: readonly Line[]): Line[][] {
  const blocks: Line[][] = []
  let isOpen = true
  for (const line of lines) {
    const block = blocks.at(-1)
    const isNextTime = line.text.includes('-->') && (block?.length !== 1 || block[0]?.text.includes('-->'))
    if (line.text === '') isOpen = false
    else if (isOpen && !isNextTime) block?.push(line)
    else {
      blocks.push([line])
      isOpen = true
    }
  }
  return blocks
}

type LinedCue = Cue & { lines: string[] }

function readCue([times = '', ...words]: readonly string[]): LinedCue | null {
  const found = timing.exec(times)
  if (found === null) return null
  const [from = 0, until = 0] = [1, 5].map((at) => {
    const [hours = 0, minutes = 0, seconds = 0, ms = 0] = found.slice(at, at + 4).map((part) => Number(part ?? 0))
    return hours * 3600 + minutes * 60 + seconds + ms / 1000
  })
  const lines = words.map(plainWords).filter((line) => line !== '')
  return { from, until, words: plainWords(words.join(' ')), lines }
}

const entities: Partial<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  lrm: '',
  rlm: '',
  pound: '£',
  euro: '€',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  ndash: '–',
  mdash: '—',
  hellip: '…',
  eacute: 'é',
}

const plainWords = (words: string): string =>
  words
    .replace(/<[^<>]*>/g, '')
    .replace(/&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|(\w+));/g, readEntity)
    .replace(/\s+/g, ' ')
    .trim()

function readEntity(written: string, decimal?: string, hex?: string, name = ''): string {
  const code = decimal ? Number(decimal) : hex ? Number.parseInt(hex, 16) : 0
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : (entities[name] ?? written)
}

/** A pause this long starts a new paragraph. So does a sentence's end after this many words. */
const pauseSeconds = 2
const paragraphWords = 60

/** The captions as a text to read, with a blank line between paragraphs. Automatic captions may have no sentences to go by. */
export const transcriptOf = (cues: readonly Cue[]): string =>
  paragraphsOf(cues)
    .map((paragraph) => paragraph.map(saidIn).join(' '))
    .join('\n\n')

const saidIn = ({ words, said = words }: Cue) => said

function paragraphsOf(given: readonly Cue[]): Cue[][] {
  const paragraphs: Cue[][] = []
  const cues = given.filter((cue) => saidIn(cue) !== '')
  let count = 0
  cues.forEach((cue, at) => {
    const before = cues[at - 1]
    const last = paragraphs.at(-1)
    const isLong = count >= paragraphWords && /[.!?…]["”’]?$/.test(before?.words.slice(-2) ?? '')
    if (last === undefined || isLong || (before && cue.from - before.until >= pauseSeconds)) {
      paragraphs.push([cue])
      count = 0
    } else last.push(cue)
    count += saidIn(cue).split(' ').length
  })
  return paragraphs
}

/** A caption's second, and the place in the transcript where its words begin. */
export type CueMark = [second: number, place: number]

/** How much of the transcript may lie between two captions. Short words such as "Yes." stand in many places. */
const mostBetween = 600

/** A mark for each caption whose words stand in the transcript, in order. Those that somebody has rewritten have none. */
export function marksOf(cues: readonly Cue[], transcript: string): CueMark[] {
  const marks: CueMark[] = []
  let end = 0
  for (const cue of cues) {
    const words = saidIn(cue)
    if (words === '') continue
    const near = transcript.slice(end, end + mostBetween + words.length).indexOf(words)
    if (near < 0) continue
    const place = end + near
    marks.push([Math.floor(cue.from), place])
    end = place + words.length
  }
  return marks
}

/** What's said from one second on; null where no caption says when. */
export type TranscriptLine = { from: number | null; words: string }

/** The transcript's paragraphs, each of lines with their times. */
export function linesOf(transcript: string, marks: readonly CueMark[] = []): TranscriptLine[][] {
  const paragraphs = [...transcript.matchAll(/\S(?:.|\n(?!\s*\n))*/g)]
  let next = 0
  return paragraphs.map(({ index, 0: paragraph }) => {
    // Both are in order, so each mark is looked at once.
    const first = next
    while ((marks[next]?.[1] ?? Infinity) < index + paragraph.length) next += 1
    const inside = marks.slice(first, next).filter(([, place]) => place >= index)
    const starts: [number | null, number][] = inside[0]?.[1] === index ? inside : [[null, index], ...inside]
    return starts.flatMap(([from, place], at) => {
      const words = transcript.slice(place, starts[at + 1]?.[1] ?? index + paragraph.length).trim()
      return words === '' ? [] : [{ from, words }]
    })
  })
}
