/** The address, its server's answer, and the email of ours it was about. */
type Returned = {
  to: string
  /** The forwarding address, if that's what failed. */
  passedTo?: string
  messageId: string
  action?: string
  status?: string
  says?: string
}

const lines = (...all: string[]) => all.join('\r\n')

const returnedHeaders = ({ to, messageId }: Returned) =>
  lines(
    'Received: from alliance.test (localhost [127.0.0.1])',
    '\tby mail.alliance.test (Postfix) with ESMTP id 4bQ1Zk0Xc2z1',
    'From: The Alliance <hello@alliance.test>',
    `To: ${to}`,
    'Subject: =?UTF-8?Q?Your_receipt=3A_=C2=A3250?=',
    `Message-ID: ${messageId}`,
    'Auto-Submitted: auto-generated',
  )

/** Postfix style: returns only the headers, as `text/rfc822-headers`. */
export function postfixReport(returned: Returned) {
  const { to, passedTo = to, action = 'failed', status = '5.1.1', says = '550 5.1.1 User unknown' } = returned
  return lines(
    'Return-Path: <>',
    'From: MAILER-DAEMON@mail.alliance.test (Mail Delivery System)',
    'Subject: Undelivered Mail Returned to Sender',
    'To: hello@alliance.test',
    'Auto-Submitted: auto-replied',
    'MIME-Version: 1.0',
    'Content-Type: multipart/report; report-type=delivery-status;',
    '\tboundary="4bQ1Zk0Xc2z1.1781246400/mail.alliance.test"',
    'Content-Transfer-Encoding: 8bit',
    '',
    'This is a MIME-encapsulated message.',
    '',
    '--4bQ1Zk0Xc2z1.1781246400/mail.alliance.test',
    'Content-Description: Notification',
    'Content-Type: text/plain; charset=utf-8',
    '',
    "I'm sorry to have to inform you that your message could not be delivered.",
    '',
    '--4bQ1Zk0Xc2z1.1781246400/mail.alliance.test',
    'Content-Description: Delivery report',
    'Content-Type: message/delivery-status',
    '',
    'Reporting-MTA: dns; mail.alliance.test',
    'X-Postfix-Queue-ID: 4bQ1Zk0Xc2z1',
    'X-Postfix-Sender: rfc822; hello@alliance.test',
    'Arrival-Date: Fri, 12 Jun 2026 08:40:00 +0100 (BST)',
    '',
    `Final-Recipient: rfc822; ${passedTo}`,
    `Original-Recipient: rfc822;${to}`,
    `Action: ${action}`,
    `Status: ${status}`,
    'Remote-MTA: dns; mx.example.com',
    `Diagnostic-Code: smtp; ${says.replace(' ', '\r\n    ')}`,
    '',
    '--4bQ1Zk0Xc2z1.1781246400/mail.alliance.test',
    'Content-Description: Undelivered Message Headers',
    'Content-Type: text/rfc822-headers',
    '',
    returnedHeaders(returned),
    '',
    '--4bQ1Zk0Xc2z1.1781246400/mail.alliance.test--',
    '',
  )
}

/** Exim style: no original recipient, an unspecific status, and the whole email. */
export const eximReport = (returned: Returned) =>
  lines(
    'Return-path: <>',
    'X-Failed-Recipients: sam@example.com',
    'Auto-Submitted: auto-replied',
    'From: Mail Delivery System <Mailer-Daemon@mail.alliance.test>',
    'To: hello@alliance.test',
    'Content-Type: multipart/report; report-type=delivery-status; boundary=1781246400-eximdsn-1804289383',
    'MIME-Version: 1.0',
    'Subject: Mail delivery failed: returning message to sender',
    '',
    '--1781246400-eximdsn-1804289383',
    'Content-type: text/plain; charset=us-ascii',
    '',
    'This message was created automatically by mail delivery software.',
    '',
    '--1781246400-eximdsn-1804289383',
    'Content-type: message/delivery-status',
    '',
    'Reporting-MTA: dns; mail.alliance.test',
    '',
    `Action: ${returned.action ?? 'failed'}`,
    `Final-Recipient: rfc822;${returned.to}`,
    `Status: ${returned.status ?? '5.0.0'}`,
    'Remote-MTA: dns; mx.example.com',
    `Diagnostic-Code: smtp; ${returned.says ?? '550 no such person here'}`,
    '',
    '--1781246400-eximdsn-1804289383',
    'Content-type: message/rfc822',
    '',
    returnedHeaders(returned),
    'Content-Type: text/plain; charset=utf-8',
    '',
    'Thank you for your payment.',
    '',
    '--1781246400-eximdsn-1804289383--',
    '',
  )

/** Exchange style: text in two formats, the report in base64, and the bounced email attached. */
export function exchangeReport(returned: Returned): string {
  const { to, status = '5.1.10', action = 'failed' } = returned
  const says = returned.says ?? `550 ${status} RESOLVER.ADR.RecipientNotFound; not found by SMTP address lookup`
  const report = lines(
    'Reporting-MTA: dns;LO2P265MB0001.GBRP265.PROD.OUTLOOK.COM',
    'Received-From-MTA: dns;mail.alliance.test',
    'Arrival-Date: Fri, 12 Jun 2026 07:40:00 +0000',
    '',
    `Final-Recipient: rfc822;${to}`,
    `Action: ${action}`,
    `Status: ${status}`,
    `Diagnostic-Code: smtp;${says}`,
    `X-Display-Name: ${to}`,
    '',
  )
  return lines(
    'From: <postmaster@example.onmicrosoft.com>',
    'To: <hello@alliance.test>',
    'MIME-Version: 1.0',
    'X-MS-Exchange-Message-Is-Ndr:',
    'Content-Language: en-GB',
    'Subject: Undeliverable: Your receipt',
    'Content-Type: multipart/report; report-type=delivery-status;',
    ' boundary="7a1c0d2e-0f51-4a3b-9c71-2f6f0d7c1b3e"',
    '',
    '--7a1c0d2e-0f51-4a3b-9c71-2f6f0d7c1b3e',
    'Content-Type: multipart/alternative; differences=Content-Type;',
    ' boundary="0a5b8a4e-4a0f-4ea1-8f0a-5e4b1a0c9d11"',
    '',
    '--0a5b8a4e-4a0f-4ea1-8f0a-5e4b1a0c9d11',
    'Content-Type: text/plain; charset="us-ascii"',
    'Content-Transfer-Encoding: quoted-printable',
    '',
    'Your message couldn=27t be delivered.',
    '',
    '--0a5b8a4e-4a0f-4ea1-8f0a-5e4b1a0c9d11',
    'Content-Type: text/html; charset="us-ascii"',
    '',
    '<p>Your message couldn’t be delivered.</p>',
    '',
    '--0a5b8a4e-4a0f-4ea1-8f0a-5e4b1a0c9d11--',
    '',
    '--7a1c0d2e-0f51-4a3b-9c71-2f6f0d7c1b3e',
    'Content-Type: message/delivery-status',
    'Content-Transfer-Encoding: base64',
    '',
    Buffer.from(report).toString('base64'),
    '',
    '--7a1c0d2e-0f51-4a3b-9c71-2f6f0d7c1b3e',
    'Content-Type: message/rfc822',
    '',
    returnedHeaders(returned),
    'Content-Type: multipart/alternative; boundary="x"',
    '',
    '--x--',
    '--7a1c0d2e-0f51-4a3b-9c71-2f6f0d7c1b3e--',
    '',
  )
}

export const ordinaryMail = lines(
  'From: Sam <sam@example.com>',
  'To: hello@alliance.test',
  'Subject: Re: Your receipt',
  'Content-Type: text/plain',
  '',
  'Final-Recipient: rfc822; olive@alliance.test',
  'Action: failed',
  'Status: 5.1.1',
  '',
)
