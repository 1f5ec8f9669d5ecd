/**
 * One caption: `from` and `until` in seconds, and its words without markup. Automatic captions roll: a caption begins with the lines
 * that are on the screen already. `said` is what's new in it then.
 */
export type Cue = { from: number; until: number; words: string; said?: string }

/** `problem` names the line to correct. */
export type ReadCaptions = { cues: Cue[] } | { problem: string }

const timing = /^\s*(?:(\d+):)?([0-5]\d):([0-5]\d)\.(\d{3})\s*-->\s*(?:(\d+):)?([0-5]\d):([0-5]\d)\.(\d{3})(?!\d)/

/**
 * Captions as browsers read them: UTF-8 without a byte order mark, `\n` line ends, and the times of .srt and YouTube's .sbv as WebVTT
 * writes them.
 */
export function normaliseCaptions(text: string): string {
  const plain = text
    .replace(/^\uFEFF/, '')
    .replace(/\r\r\n|\r\n?/g, '\n')
    .trim()
  if (srtHead.test(plain)) return `WEBVTT\n\n${plain.replace(srtNumber, '\n\n$1').replace(srtTimes, '$1.$2$3.$4')}`
  return sbvHead.test(plain) ? `WEBVTT\n\n${plain.replace(sbvTimes, '$1 --> $2')}` : plain
}

const srtHead = /^(?:\d+[ \t]*\n[ \t]*[\d:]+[,.]|[\d:]+,)\d{3}[ \t]*-->/
const srtTimes = /^([\d:]+),(\d{3})([ \t]*-->[ \t]*[\d:]+),(\d{3})/gm
/** Some programs leave no empty line above the next number, which would be read as words then. */
const srtNumber = /\n(\d+[ \t]*\n[\d:]+[,.]\d{3}[ \t]*-->)/g
const sbvHead = /^\d+:\d\d:\d\d\.\d{3},\d/
const sbvTimes = /^(\d+:\d\d:\d\d\.\d{3}),(\d+:\d\d:\d\d\.\d{3})$/gm

/** Reads WebVTT (https://www.w3.org/TR/webvtt1/). Names the line of what browsers would silently leave out. */
export function readCaptions(text: string): ReadCaptions {
  const lines = normaliseCaptions(text).split('\n')
  if (!/^WEBVTT(?:[ \t]|$)/.test(lines[0] ?? '')) return { problem: 'Line 1: captions start with the word WEBVTT.' }
  const cues: LinedCue[] = []
  for (const { at, block } of blocksOf(lines)) {
    const place = block.findIndex((line) => line.includes('-->'))
    const isAside = place < 0 && /^(?:NOTE|STYLE|REGION)(?:[ \t]|$)/.test(block[0] ?? '')
    if (isAside || block.every((line) => line.trim() === '')) continue
    const cue = place < 0 ? null : readCue(block.slice(place))
    if (cue === null)
      return {
        problem: `Line ${at + Math.max(0, place)}: a time such as 00:00:01.000 --> 00:00:04.000 should be here.`,
      }
    if (cue.until < cue.from) return { problem: `Line ${at + place}: this caption ends before it starts.` }
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
 * The blocks after the header; `at` is the number of a block's first line. A block ends at an empty line, not at one of spaces, and
 * at a time that isn't on its first two lines: https://www.w3.org/TR/webvtt1/#collect-a-webvtt-block
 */
function blocksOf(lines: readonly string[]): { at: number; block: string[] }[] {
  const blocks: { at: number; block: string[] }[] = []
  let isOpen = true
  lines.forEach((line, index) => {
    const block = blocks.at(-1)?.block
    const isNextTime = line.includes('-->') && (block?.length !== 1 || block[0]?.includes('-->'))
    if (line === '') isOpen = false
    else if (isOpen && !isNextTime) block?.push(line)
    else {
      blocks.push({ at: index + 1, block: [line] })
      isOpen = true
    }
  })
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
