import * as v from 'valibot'
import { withoutCards } from '#api/features/imports/cards-rules.ts'
import { startCsv } from '#api/features/imports/csv-rules.ts'
import {
  blockOf,
  isAmbiguous,
  isNo,
  isSecret,
  isYes,
  readDay,
  splitName,
  videosOf,
} from '#api/features/imports/members-rules.ts'
import { readVideo } from '#api/features/imports/videos-rules.ts'
import { assertSound, detectFormat } from '#api/features/media/content-rules.ts'
import { manifestIn } from '#api/features/operations/backup/read-service.ts'
import { SiteCopy } from '#shared/contract/site-copy.ts'
import { decodeText } from '#shared/rules/encoding.ts'
import { splitCsv } from '#shared/rules/split-csv.ts'
import type { OutsideReader } from './outside-texts.ts'

function readCsv(text: string): void {
  const csv = startCsv(',')
  csv.write(text)
  csv.end()
}

export const tableReaders: OutsideReader[] = [
  { name: 'a CSV', read: readCsv, worst: ['"', '""', '","', ',', '\n', '\r', '\r\n', 'a', '"a', '"\n', '"a"b', ' "'] },
  {
    name: 'card numbers',
    read: withoutCards,
    worst: ['4111111111111111 ', '4111111111111111', '4 ', '0-', '4', '+4', '1 +', '4111 ', '411111111111 x', ' '],
  },
  {
    name: 'a day',
    read: (text) => [readDay(text), isAmbiguous(text)],
    worst: [
      ' ',
      '1',
      '1/',
      '2026-01-01 ',
      { head: '1 jan', part: 'a' },
      { head: '2026-01-01T00:00:00.', part: '0' },
      { head: '2026-01-01T00:00:00', part: ' ' },
    ],
  },
  { name: 'a name', read: (text) => splitName(text), worst: [' ', 'a ', '\n'] },
  {
    name: 'a yes or no',
    read: (text) => [isYes(text), isNo(text), blockOf(text, text), isSecret(text)],
    worst: ['yes', ' ', 'unsub', 'opt', 'no'],
  },
  { name: 'lessons of a cell', read: (text) => videosOf(text), worst: [';', '|', '\n', ' ', 'a;'] },
  {
    name: 'a lesson',
    read: (text) => readVideo(['T', text, text, text], { title: 0, address: 1, description: 2, minutes: 3 }),
    worst: [
      '<',
      '<br',
      '<br ',
      '\n',
      '\n ',
      '\n\n',
      '<iframe ',
      '<iframe src="',
      '</iframe',
      '</iframe ',
      '1:',
      '&nbsp;',
      ' src=',
      '//',
    ],
  },
  { name: 'a CSV to cut', read: (text) => splitCsv(100).add(text), worst: ['"', '\n', ',', '"\n'] },
]

const bytesOf = (text: string) => Buffer.from(text, 'latin1')

async function readUpload(text: string, format: 'mp4' | 'vtt'): Promise<void> {
  const file = new Blob([bytesOf(text)])
  await detectFormat(file).catch(() => null)
  await assertSound(file, format)
}

const box = '\0\0\0\x08free'

const cue = '00:00.000 --> 00:01.000\n\xe9\n\n'
const videoFile = '\0\0\0\x18ftypisom\0\0\x02\0isomiso2'

export const fileReaders: OutsideReader[] = [
  {
    name: 'a film’s head',
    read: (text) => readUpload(text, 'mp4'),
    worst: [box, '\0', { head: videoFile, part: box }, '\0\0\0\x01moov', '<', '%PDF', 'PK\x05\x06'],
  },
  {
    name: 'an upload of captions, in any encoding',
    read: (text) => [decodeText(bytesOf(text)), readUpload(text, 'vtt')][1],
    worst: ['WEBVTT\n', 'a\x80', 'a\x80\x93', ' \xc0 ', '\xff\xfe', '\0a', { head: 'WEBVTT\n\n', part: cue }],
  },
  {
    name: 'another site’s content',
    read: (text) => v.safeParse(v.pipe(v.string(), v.parseJson(), SiteCopy), text),
    worst: ['[', '{"a":', '"', '1', { head: '{"words":{"a":{', part: '"a":1,', tail: '"b":1}}}' }],
  },
  {
    name: 'a backup’s manifest',
    read: manifestIn,
    worst: ['[', '{"a":', '"', '1', { head: '{"media":[', part: '{},', tail: '{}]}' }],
  },
]
