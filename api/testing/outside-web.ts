import { escapeXml } from '#api/documents/feeds.ts'
import { decodePath } from '#api/http/canonical-path.ts'
import { readDeliveryReport } from '#api/mail/delivery-report.ts'
import { canonicalAddress } from '#api/network-address.ts'
import { readByteRange } from '#shared/rules/byte-range.ts'
import { numberOfChat } from '#shared/rules/chat-number.ts'
import { deviceName } from '#shared/rules/device-name.ts'
import { returnPath } from '#shared/rules/return-path.ts'
import { countedPage, visitSource } from '#shared/rules/visit-source.ts'
import { analyticsPath } from '#shared/values/analytics-path.ts'
import type { OutsideReader } from './outside-texts.ts'

const report = (status: string) =>
  `Content-Type: multipart/report; report-type=delivery-status; boundary=b\r\n\r\n--b\r\nContent-Type: message/delivery-status\r\n\r\n${status}\r\n--b--\r\n`

export const webReaders: OutsideReader[] = [
  {
    name: 'a browser’s name',
    read: deviceName,
    worst: ['Mozilla/5.0 (', 'Chrome/', 'Version/', '(', ' ', 'Android ', 'Safari/', '1'],
  },
  {
    name: 'where a visit came from',
    read: (text) => [visitSource(text, 'a.example'), visitSource(`https://${text}`, 'a.example')],
    worst: ['a.', '.', '/', 'www.', '%'],
  },
  {
    name: 'a visited path',
    read: (text) => [analyticsPath(`/${text}`), countedPage(`/${text}`, () => false)],
    worst: ['/', '?', '#', '@', '1', '%40', 'a/'],
  },
  {
    name: 'a path',
    read: (text) => [decodePath(`/${text}`), returnPath(`/${text}`)],
    worst: ['/', '%', '%2f', '../', '%c3%', '\\'],
  },
  { name: 'a client’s address', read: (text) => canonicalAddress(text), worst: ['1.', ':', '[', '1', '0:', ' '] },
  { name: 'a range', read: (text) => readByteRange(`bytes=${text}`, 100), worst: ['0-', '-', '0,', '0', ' '] },
  { name: 'a chat’s address', read: (text) => numberOfChat(text), worst: ['1', 'https://wa.me/', '+'] },
  { name: 'a feed’s text', read: escapeXml, worst: ['&', '<', '\u0001', '\ud800', '"'] },
  {
    name: 'a bounced email',
    read: (text) => readDeliveryReport(report(text)),
    worst: ['\r\n', 'a: b\r\n', '\r\n ', ':', ' ', '<', 'Final-Recipient: rfc822; <', ';'],
  },
  {
    name: 'an email of another shape',
    read: (text) => readDeliveryReport(text),
    worst: [
      'a: b\r\n',
      '\r\n ',
      'Content-Type: multipart/mixed; boundary=a\r\n\r\n--a\r\n',
      '=?utf-8?q?',
      '<',
      ',',
      '(',
      '"',
      ' ',
    ],
  },
]
