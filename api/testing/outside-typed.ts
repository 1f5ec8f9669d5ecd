import * as v from 'valibot'
import { Email, Line, OptionalText, RequiredLine, Text } from '#shared/contract/fields.ts'
import { excerptOf } from '#shared/rules/excerpt.ts'
import { foldText } from '#shared/rules/fold-text.ts'
import { linkTarget } from '#shared/rules/link-target.ts'
import { splitAddresses } from '#shared/rules/linked-text.ts'
import { fillPlaceholders } from '#shared/rules/placeholders.ts'
import { priceMentions } from '#shared/rules/price-mentions.ts'
import { plainRichText, readRichText } from '#shared/rules/rich-text.ts'
import { readTypedDay, readTypedDayAndTime } from '#shared/rules/typed-day.ts'
import { isVatNumberShaped } from '#shared/rules/vat-number.ts'
import { linesOf, marksOf, normaliseCaptions, readCaptions, transcriptOf } from '#shared/values/captions.ts'
import { typeOfPasted } from '#shared/values/video-source.ts'
import { problemsOfTexts } from '#shared/values/written-text.ts'
import type { OutsideReader } from './outside-texts.ts'

const timed = 'WEBVTT\n\n00:00.000 --> 00:01.000\n'

function readTimedText(text: string): void {
  const read = readCaptions(text)
  if ('problem' in read) return
  const transcript = transcriptOf(read.cues)
  linesOf(transcript, marksOf(read.cues, transcript))
}

const marked = ['**', '[', '[a](', '[a](b', '](', '**a', ' ', '\n', '- ', '#', '[a]( ', 'https://']

export const typedReaders: OutsideReader[] = [
  {
    name: 'a text field',
    read: (text) => [v.safeParse(Text(500), text), v.safeParse(OptionalText(500), text)],
    worst: [' ', '\r', '\n', '\u202a', '\ud800', '\u200b', 'a '],
  },
  {
    name: 'a line',
    read: (text) => [v.safeParse(Line(100), text), v.safeParse(RequiredLine('A'), text)],
    worst: [' ', '\t', '\n', '\u2028', '\u200b'],
  },
  {
    name: 'an email address',
    read: (text) => v.safeParse(Email, text),
    worst: ['a@', '@', '.', 'a.', ' ', { head: 'a@', part: 'a.' }, { head: 'a@', part: 'a-', tail: '.' }],
  },
  { name: 'words to search for', read: foldText, worst: ['a\u0315\u0300', '\u0315\u0300', '\u0301', '’', 'é', ' '] },
  { name: 'an excerpt', read: (text) => excerptOf(text, 200, ['zz']), worst: [' ', 'a', 'z', 'z ', '\u0301'] },
  {
    name: 'addresses in a text',
    read: (text) => [splitAddresses(text), linkTarget(text)],
    worst: ['https://', 'https://.', 'https://a.', { head: 'https://a', part: '.' }, 'a.', '@', '/', ' '],
  },
  { name: 'owners’ Markdown', read: (text) => plainRichText(readRichText(text), 'https://a.example'), worst: marked },
  {
    name: 'what’s wrong with a text',
    read: (text) => problemsOfTexts(text, 'a'),
    worst: [...marked, '<', '](', ']( '],
  },
  { name: 'placeholders', read: (text) => fillPlaceholders(text, {}), worst: ['{', '{a', '{a.', '}', '{{'] },
  {
    name: 'prices in a text',
    read: priceMentions,
    worst: ['£1', '£1 ', '£1,', '£', '£1 + VAT ', '£1 a month ', ' a '],
  },
  {
    name: 'a typed day',
    read: (text) => [readTypedDay(text, '2026-01-01'), readTypedDayAndTime(text, '2026-01-01')],
    worst: [' ', '\t', '1', '1 ', { part: '\t', tail: '0\n0.00' }, { head: '1', part: '/' }, { head: '1 ', part: 'a' }],
  },
  { name: 'a VAT number', read: isVatNumberShaped, worst: ['1', ' ', 'GB', '1 '] },
  {
    name: 'a video’s address',
    read: (text) => [typeOfPasted('wistia', text), typeOfPasted('youtube', text)],
    worst: [
      '<iframe ',
      '<iframe src="',
      { head: '<iframe ', part: 'src=' },
      { head: '<iframe ', part: ' ', tail: '</iframe>' },
      { head: '<iframe ', part: 'a="', tail: '</iframe>' },
      '/',
      'https://youtu.be/',
      ' ',
      '?v=',
    ],
  },
  {
    name: 'automatic captions',
    read: (text) => readTimedText(`${timed}<00:00:00.500>${text}\n\n${timed.slice(8)}${text}`),
    worst: ['a\n', 'a b\n', '<00:00:00.500>\n'],
  },
  {
    name: 'captions',
    read: (text) => [readTimedText(text), normaliseCaptions(text)],
    worst: [
      { head: 'WEBVTT\n\n', part: '00:00.000 --> 00:01.000\na\n\n' },
      { head: 'WEBVTT\n\n', part: '00:00.000 --> 00:01.000\na.\n\n00:04.000 --> 00:05.000\nb.\n\n' },
      { head: 'WEBVTT\n\n', part: '00:00.000 --> 00:01.000\n<b\n\n' },
      ...[
        '\n',
        '\r',
        ' ',
        '1\n',
        '00:00:00,000 --> ',
        '-->',
        '<',
        '&',
        { head: 'WEBVTT\n\n00:00.000 --> 00:01.000\n', part: '<' },
        { head: 'WEBVTT\n\n00:00.000 ', part: ' ' },
      ],
      { head: '1\n00:00:00,000 --> 00:00:01,000\na\n\n', part: '00:00:00,000 --> 00:00:01,000\na\n\n' },
    ],
  },
]
