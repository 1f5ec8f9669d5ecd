import { expect, test } from 'vitest'
import { decodeText } from '#shared/rules/encoding.ts'
import { linesOf, marksOf, normaliseCaptions, readCaptions, transcriptOf } from './captions.ts'

const vtt = (...blocks: string[]) => ['WEBVTT', ...blocks].join('\n\n')
function cuesOf(text: string) {
  const read = readCaptions(text)
  if ('problem' in read) throw new Error(read.problem)
  return read.cues
}

test('captions are read with and without hours, numbers, notes, voices and marks', () => {
  const text = vtt(
    'NOTE made by hand',
    '1\n00:01.000 --> 00:02.500 align:start\n<v Dave>Put the <b>margin</b>\non, &amp; then',
    '01:00:03.000 --> 01:00:04.000\nquote.',
  )
  expect(cuesOf(`\uFEFF${text.replaceAll('\n', '\r\n')}\r\n`)).toEqual([
    { from: 1, until: 2.5, words: 'Put the margin on, & then' },
    { from: 3603, until: 3604, words: 'quote.' },
  ])
})

test('those of an .srt file, as phones and YouTube write them, are read too', () => {
  const srt =
    '\uFEFF1\r\n00:01:01,000 --> 00:01:02,500\r\nPut the margin on, 10,000 times\r\n\r\n2\r\n01:00:03,000 --> 01:00:04,000\r\nthen quote.\r\n'
  expect(cuesOf(srt)).toEqual([
    { from: 61, until: 62.5, words: 'Put the margin on, 10,000 times' },
    { from: 3603, until: 3604, words: 'then quote.' },
  ])
  expect(normaliseCaptions(srt)).toMatch(/^WEBVTT\n\n1\n00:01:01\.000 --> 00:01:02\.500\n/)
})

const automatic = `WEBVTT
Kind: captions
Language: en

00:00:00.160 --> 00:00:02.149 align:start position:0%
 
measure<00:00:00.400><c> twice</c>

00:00:02.149 --> 00:00:02.159 align:start position:0%
measure twice
 

00:00:02.159 --> 00:00:04.000 align:start position:0%
measure twice
cut<00:00:02.900><c> once</c>
`

test('automatic captions roll, and the transcript says each sentence once', () => {
  const cues = cuesOf(automatic)
  expect(cues.map(({ words }) => words)).toEqual(['measure twice', 'measure twice', 'measure twice cut once'])
  expect(transcriptOf(cues)).toBe('measure twice cut once')
  expect(marksOf(cues, 'measure twice cut once')).toEqual([
    [0, 0],
    [2, 14],
  ])
  // Somebody who says a word twice has said it twice.
  expect(transcriptOf(cuesOf(vtt('00:01.000 --> 00:02.000\nNo.', '00:02.000 --> 00:03.000\nNo.')))).toBe('No. No.')
})

test('a caption without words is skipped, one below another’s words begins, and a line of spaces ends none', () => {
  const empty = vtt('00:01.000 --> 00:02.000\nOne', '00:02.000 --> 00:03.000\n', '00:03.000 --> 00:04.000\nTwo')
  expect(cuesOf(empty).map(({ words }) => words)).toEqual(['One', 'Two'])
  const close = vtt('00:01.000 --> 00:02.000\nOne\n00:02.000 --> 00:03.000\nTwo\n \nThree')
  expect(cuesOf(close)).toEqual([
    { from: 1, until: 2, words: 'One' },
    { from: 2, until: 3, words: 'Two Three' },
  ])
})

test('captions that a phone or Windows saved in another encoding are read', () => {
  const srt = '1\r\n00:00:01,000 --> 00:00:02,000\r\nIt’s £250 plus VAT, café\r\n'
  const codes: Record<string, number> = { '’': 0x92, '£': 0xa3, é: 0xe9 }
  const windows = Uint8Array.from(srt, (char) => codes[char] ?? char.charCodeAt(0))
  for (const bytes of [windows, new Uint8Array(Buffer.from(`\uFEFF${srt}`, 'utf16le')), new TextEncoder().encode(srt)])
    expect(cuesOf(decodeText(bytes))[0]?.words).toBe('It’s £250 plus VAT, café')
})

/** The same two captions, as programs write them. */
const srt = (one: string, two: string, between = '\n') => `1${between}${one}\nOne\n\n2${between}${two}\nTwo\n`
const two = [
  { from: 1, until: 2.5, words: 'One' },
  { from: 3, until: 4, words: 'Two' },
]

test.each([
  ['dots', srt('00:00:01.000 --> 00:00:02.500', '00:00:03.000 --> 00:00:04.000')],
  ['one and two digits of a second', srt('00:00:01,0 --> 00:00:02,5', '00:00:03,00 --> 00:00:04,00')],
  ['a space before the comma', srt('00:00:01 ,000 --> 00:00:02 ,500', '00:00:03 ,000 --> 00:00:04 ,000')],
  ['no hours', srt('00:01,000 --> 00:02,500', '00:03,000 --> 00:04,000')],
  ['an hour of one digit', srt('0:00:01,000 --> 0:00:02,500', '0:00:03,000 --> 0:00:04,000')],
  ['nothing after the seconds', srt('00:00:01 --> 00:00:02,500', '00:00:03 --> 00:00:04')],
  ['no spaces', srt('00:00:01,000-->00:00:02,500', '00:00:03,000-->00:00:04,000')],
  ['an empty line below the number', srt('00:00:01,000 --> 00:00:02,500', '00:00:03,000 --> 00:00:04,000', '\n\n')],
  [
    'an empty line above the words',
    '1\n00:00:01,000 --> 00:00:02,500\n\nOne\n\n2\n00:00:03,000 --> 00:00:04,000\n\nTwo',
  ],
  ['no numbers', '00:00:01,000 --> 00:00:02,500\nOne\n\n00:00:03,000 --> 00:00:04,000\nTwo'],
  [
    'places on the screen',
    srt('00:00:01,000 --> 00:00:02,500 X1:40 X2:600', '00:00:03,000 --> 00:00:04,000').replace(
      'One',
      '{\\an8}One{\\fad(200,0)}{y:i}',
    ),
  ],
  ['hard spaces', srt('00:00:01,000 --> 00:00:02,500', '00:00:03,000 --> 00:00:04,000').replace('One', '\\hOne')],
])('an .srt with %s is read', (_name, text) => {
  for (const given of [text, `\uFEFF${text}`, text.replaceAll('\n', '\r\n'), text.replaceAll('\n', '\r')]) {
    expect(cuesOf(given)).toEqual(two)
    // What’s stored is what browsers read.
    expect(cuesOf(normaliseCaptions(given))).toEqual(two)
  }
})

test('in an .srt a sign that begins no tag is a word’s, a count of words stays, and an empty line ends none', () => {
  const text =
    '1\n00:01,000 --> 00:02,000\n<font color="red">3 < 5</font>\n\nand more\n2\n00:03,000 --> 00:04,000\n10\n'
  expect(cuesOf(text).map(({ words }) => words)).toEqual(['3 < 5 and more', '10'])
  expect(normaliseCaptions(text)).toContain('3 &lt; 5')
  expect(cuesOf(vtt('00:01.000 --> 00:02.000\n{\\an8}Top {normal text}'))[0]?.words).toBe('Top {normal text}')
})

const problem = (text: string) => {
  const read = readCaptions(text)
  return 'problem' in read ? read.problem : null
}

test('what can’t be read of an .srt or .sbv is named by its own line, in its own writing', () => {
  const time = 'a time such as 00:00:01,000 --> 00:00:04,000 should be here.'
  const good = '1\n00:00:01,000 --> 00:00:02,000\nOne\n\n'
  expect(problem('1\n00:00:01,000 -->\nOne')).toBe(`Line 2: ${time}`)
  expect(problem(`${good}2\n00:00:03,000 --> soon\nTwo`)).toBe(`Line 6: ${time}`)
  expect(problem(`\n\n${good}2\nTwo\n`)).toBe(`Line 8: ${time}`)
  expect(problem(`${good}2\r\n00:00:03,000 --> 00:00:02,000\r\nTwo`)).toBe(
    'Line 6: this caption ends before it starts.',
  )
  expect(problem('0:00:01.000,0:00:02.000\nOne\n\n0:00:03.000,0:00:02.000\nTwo')).toBe(
    'Line 4: this caption ends before it starts.',
  )
})

test('what cannot be read is named by its line', () => {
  expect(problem('00:00:01.000 --> 00:00:02.000\nOne')).toMatch(/^Line 1: captions start with the word WEBVTT/)
  expect(problem(vtt('00:00:01,000 --> 00:00:02,000\nOne'))).toMatch(/^Line 3: a time such as/)
  expect(problem(vtt('00:02.000 --> 00:01.000\nOne'))).toBe('Line 3: this caption ends before it starts.')
  expect(problem(vtt('00:01.000 --> 00:02.000\n \n'))).toBe('It has no captions.')
  expect(problem(vtt('1\n00:02.000 --> 00:01.000\nOne'))).toBe('Line 4: this caption ends before it starts.')
  expect(problem(vtt())).toBe('It has no captions.')
})

test('a transcript begins a paragraph at a pause, and after many words', () => {
  const cue = (from: number, words: string) => ({ from, until: from + 1, words })
  expect(transcriptOf([cue(0, 'One'), cue(1, 'two.'), cue(5, 'Three.')])).toBe('One two.\n\nThree.')
  const long = `${'word '.repeat(60)}end.`
  expect(transcriptOf([cue(0, long), cue(1, 'Next.')]).split('\n\n')).toHaveLength(2)
})

test('each caption’s words are found again in the transcript, with their second, but for what somebody has rewritten', () => {
  const cue = (from: number, words: string) => ({ from, until: from + 1, words })
  const cues = [cue(0.4, 'One'), cue(1.9, 'two.'), cue(5, 'Tree.'), cue(7, 'Four.')]
  const transcript = 'So: One two.\n\nThree.\n- and Four.\n'
  const marks = marksOf(cues, transcript)
  expect(marks.map(([second]) => second)).toEqual([0, 1, 7])
  expect(linesOf(transcript, marks)).toEqual([
    [
      { from: null, words: 'So:' },
      { from: 0, words: 'One' },
      { from: 1, words: 'two.' },
    ],
    [
      { from: null, words: 'Three.\n- and' },
      { from: 7, words: 'Four.' },
    ],
  ])
  expect(marksOf(cues, `One ${'word '.repeat(200)}Four.`).map(([second]) => second)).toEqual([0])
  expect(linesOf('One.\n\nTwo.')).toEqual([[{ from: null, words: 'One.' }], [{ from: null, words: 'Two.' }]])
})
