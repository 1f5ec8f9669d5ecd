import { expect, test } from 'vitest'
import { isAboutSender } from './sender-replies.ts'

/** From the providers’ own documentation, and from people who met them. */
const aboutUs = [
  '554 5.7.1 Service unavailable; Client host [192.0.2.1] blocked using zen.spamhaus.org',
  '554 5.7.1 <sam@example.com>: Relay access denied',
  '550-5.7.26 This mail has been blocked because the sender is unauthenticated.',
  '550 5.7.1 [192.0.2.1] Our system has detected that this message is likely unsolicited mail',
  '550 5.4.5 Daily user sending quota exceeded. y12sm1.2 - gsmtp',
  '550 5.4.5 Daily SMTP relay sending limit exceeded for this customer',
  '554 Message rejected: Sending paused for this account. For more information, see the FAQ',
  '554 Message rejected: Email address is not verified. The following identities failed the check in region EU-WEST-2',
  '454 Throttling failure: Daily message quota exceeded',
  '550 5.1.8 Access denied, bad outbound sender AS(42004)',
  '550 5.7.705 Access denied, tenant has exceeded threshold',
  '554 5.2.252 SendAsDenied; hello@alliance.example not allowed to send as post@alliance.example',
  '554 5.2.0 STOREDRV.Submission.Exception:SubmissionQuotaExceededException; the sender’s submission quota was exceeded',
  '550 Domain alliance.example has exceeded the max emails per hour (100/100 (100%)) allowed. Message discarded.',
  '451 Authentication failed: Maximum credits exceeded',
  '550 The from address does not match a verified Sender Identity. Mail cannot be sent until this error is resolved.',
  '550 From header sender domain not verified',
  '502 5.7.0 Your SMTP account is not yet activated. Contact us to request activation.',
  '525 5.7.1 Unauthorized IP address',
  '421 Domain mg.alliance.example is not allowed to send: Account temporarily disabled',
  '550 Your account has been suspended',
  '550 Sender verify failed',
  '452 4.2.2 Sending quota exceeded for the current period',
  '550 User hello@alliance.example has exceeded its 24-hour sending limit. Messages to 25 recipients out of 25',
  '554 Sending suspended',
]

/** About the address, the mailbox, this one email, or a rate that's over in a second. */
const aboutOthers = [
  '550 5.1.1 The email account that you tried to reach does not exist.',
  '550 5.2.1 The email account that you tried to reach is disabled.',
  '552 5.2.2 The email account that you tried to reach is over quota.',
  '452 4.2.2 The email account that you tried to reach is out of storage: mailbox quota exceeded',
  '552 5.3.4 Message size exceeds fixed maximum message size',
  '552 Message exceeds the size limit',
  '550 No such user here',
  '550 User unknown',
  '450 4.7.1 <sam@example.com>: Recipient address rejected: Greylisted, see https://example.com',
  '451 4.7.1 Greylisting in action, please come back later',
  '450 4.1.1 <sam@example.com>: Recipient address rejected: unverified address: no answer',
  '454 Throttling failure: Maximum sending rate exceeded',
  '421 4.7.0 Try again later, closing connection.',
  '451 4.3.0 Mail server temporarily rejected message.',
  '452 4.5.3 Your message has too many recipients.',
  '554 Transaction failed',
]

test.each(aboutUs)('about us: %s', (reply) => {
  expect(isAboutSender(reply)).toBe(true)
})

test.each(aboutOthers)('not about us: %s', (reply) => {
  expect(isAboutSender(reply)).toBe(false)
})
