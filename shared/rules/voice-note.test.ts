import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mp4Of, webmOf } from '#api/testing/question-files.ts'
import { readVoiceNote } from './voice-note.ts'

const recordings = [
  ['Opus in WebM', webmOf, 'audio/webm; codecs=opus'],
  ['AAC in MP4', mp4Of, 'audio/mp4'],
] as const

test.each(recordings)('the length of %s is counted, as nothing in it says it', (_name, make, type) => {
  for (const seconds of [0.5, 3, 119.4, 125]) {
    const note = readVoiceNote(make(seconds))
    if ('problem' in note) throw new Error(note.problem)
    expect(note.type).toBe(type)
    expect(Math.abs(note.durationMs - seconds * 1000)).toBeLessThan(25)
  }
})

test.each(recordings)('%s of three hours says so', (_name, make) => {
  const note = readVoiceNote(make(3 * 3600))
  expect('durationMs' in note && Math.round(note.durationMs / 1000)).toBe(3 * 3600)
})

test.each(recordings)('%s without any sound has nothing to hear', (_name, make) => {
  expect(readVoiceNote(make(0))).toEqual({ problem: 'silent' })
})

test('a film is told from a voice note, whatever it’s called', () => {
  expect(readVoiceNote(webmOf(2, { codec: 'V_VP8', type: 1 }))).toEqual({ problem: 'film' })
  expect(readVoiceNote(mp4Of(2, { handler: 'vide', codec: 'avc1' }))).toEqual({ problem: 'film' })
})

test('other sounds and other files aren’t voice notes', () => {
  expect(readVoiceNote(webmOf(2, { codec: 'A_VORBIS' }))).toEqual({ problem: 'unknown' })
  expect(readVoiceNote(mp4Of(2, { codec: 'alac' }))).toEqual({ problem: 'unknown' })
  for (const text of ['', 'OggS', '%PDF-1.7 and more', '<script>alert(1)</script>'])
    expect(readVoiceNote(new TextEncoder().encode(text))).toEqual({ problem: 'unknown' })
})

test.each(recordings)(
  '%s that ends in the middle of a sound, as a flat battery leaves it, is whole up to there',
  (_name, make) => {
    const whole = make(3)
    for (const length of [whole.length - 1, Math.floor(whole.length * 0.7)]) {
      const note = readVoiceNote(whole.subarray(0, length))
      if ('problem' in note) throw new Error(note.problem)
      expect(note.bytes).toBeLessThan(length)
      expect(note.durationMs).toBeGreaterThan(900)
      expect(note.durationMs).toBeLessThan(3000)
      expect(readVoiceNote(whole.subarray(0, note.bytes))).toEqual(note)
    }
  },
)

test.each(recordings)('%s that ends before its first sound is cut', (_name, make) => {
  const head = make(0).length
  for (const length of [head - 1, head + 4])
    expect(readVoiceNote(make(3).subarray(0, length))).toEqual({ problem: 'cut' })
})

test('whatever is in a file, reading it ends, and gives a type and a length or says why not', () => {
  const starts = [webmOf(1), mp4Of(1)]
  const changed = fc.tuple(
    fc.constantFrom(...starts),
    fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { maxLength: 20 }),
    fc.nat(),
  )
  fc.assert(
    fc.property(changed, ([start, changes, length]) => {
      const bytes = Buffer.from(start.subarray(0, start.length - (length % start.length)))
      for (const [at, value] of changes) if (bytes.length > 0) bytes[at % bytes.length] = value
      const note = readVoiceNote(bytes)
      expect('problem' in note || (note.durationMs > 0 && note.bytes <= bytes.length)).toBe(true)
    }),
  )
})
