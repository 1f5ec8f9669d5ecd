import { expect, test } from 'vitest'
import { attacks } from '#api/testing/attacks.ts'
import { type CalendarCall, callCalendar } from './call-calendar.ts'

/** Attempts to break out of a line of the file. The HTML ones are tried too. */
const calendarAttacks = [
  'Sam\r\nEND:VEVENT\r\nBEGIN:VEVENT\r\nATTACH:https://evil.example/a.exe',
  'Sam\nURL:https://evil.example',
  'Sam\rDESCRIPTION:Ring 0900 first',
  'Sam\u2028ORGANIZER:mailto:a@evil.example',
  'Sam\u0000\u0007\u001b[2J\u007f\u0085END:VCALENDAR',
  'Reed, Marsh; Sons \\, and \\n: "the" firm',
  ...['é', '漢', '🔧', 'a'].map((letter) => letter.repeat(300)),
]
const corpus = [...Object.values(attacks), ...calendarAttacks]

const monday = Date.parse('2026-06-15T08:00:00.000Z')

const callsNamed = (titles: readonly string[]): CalendarCall[] =>
  titles.map((title, at) => {
    const [startsAt, endsAt] = [monday + at * 3_600_000, monday + (at + 0.5) * 3_600_000]
    return {
      uid: `${at}@alliance.example`,
      sequence: 0,
      title,
      changedAt: '2026-06-12T07:40:00.000Z',
      startsAt: new Date(startsAt).toISOString(),
      endsAt: new Date(endsAt).toISOString(),
    }
  })

type Line = { name: string; value: string }

/** Parses the file by RFC 5545: lines of up to 75 octets, unfolded, each with a name and a value. */
function linesIn(file: string): Line[] {
  const physical = file.split('\r\n')
  for (const line of physical) {
    expect(new TextEncoder().encode(line).length, line).toBeLessThanOrEqual(75)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: RFC 5545 has none of them in a line
    expect(line).not.toMatch(/[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u2028\u2029]/)
  }
  const unfolded = file.replace(/\r\n[ \t]/g, '').split('\r\n')
  return unfolded.map((line) => {
    const [, name = '', value = ''] = /^([A-Z-]+)(?:;[A-Z-]+=(?:"[^"]*"|[^:;"]*))*:(.*)$/u.exec(line) ?? []
    expect([line, name]).toEqual([line, expect.stringMatching(/./)])
    return { name, value }
  })
}

/** RFC 5545, 3.3.11: commas, semicolons and backslashes are escaped, and nothing else. */
function textOf({ value }: Line): string {
  expect(value.replace(/\\[\\;,nN]/g, '')).not.toMatch(/[\\;,]/)
  return value.replace(/\\([\\;,nN])/g, (_, sign: string) => (/n/i.test(sign) ? '\n' : sign))
}

const readable = (text: string) =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: see above
  text.replace(/\r\n?|[\u2028\u2029]/g, '\n').replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '')

const organiser = { name: 'The Alliance', email: 'hello@alliance.example' }

const ofCalls = 'BEGIN UID SEQUENCE DTSTAMP DTSTART DTEND SUMMARY ORGANIZER STATUS END'.split(' ')

test('whatever a caller is called, it is the title of their call, and adds no line to a calendar', async () => {
  const lines = linesIn(await callCalendar(organiser, callsNamed(corpus)))
  const titles = lines.filter(({ name }) => name === 'SUMMARY').map(textOf)
  expect(titles).toEqual(corpus.map(readable))
  const first = lines.findIndex(({ name, value }) => name === 'BEGIN' && value === 'VEVENT')
  const names = lines.slice(first, -1).map(({ name }) => name)
  expect(names).toEqual(corpus.flatMap(() => ofCalls))
})

test.each(calendarAttacks)(
  'a site called %j has a calendar of that name, with the lines of any other',
  async (name) => {
    const usual = linesIn(await callCalendar(organiser, callsNamed(['Free call, Sam'])))
    const lines = linesIn(await callCalendar({ ...organiser, name }, callsNamed(['Free call, Sam'])))
    expect(lines.map((line) => line.name)).toEqual(usual.map((line) => line.name))
    for (const line of lines.filter(({ name }) => name === 'NAME' || name === 'X-WR-CALNAME'))
      expect(textOf(line)).toBe(readable(name))
  },
)
