/** An enhanced status (RFC 3463) after the reply's code. */
const statusOf = (reply: string): string => /^\d{3}[ -]#?([45]\.\d{1,3}\.\d{1,3})\b/.exec(reply)?.[1] ?? ''

/** Security and policy; a limit on what we send; our own address. */
const senderStatus = /^(5\.7\.\d+|5\.4\.5|[45]\.1\.[78])$/
/** The addressee, or their mailbox. */
const addresseeStatus = /^[45]\.(1\.[1-6]|2\.[12])$/

const isLimit = (reply: string): boolean =>
  /\b(quota|limit|credits?|allowance|max)\b/i.test(reply) &&
  /exceed|reached/i.test(reply) &&
  /\b(sending|sender|submission|daily|hourly|monthly|24-hour|per (hour|day|month)|credits)\b/i.test(reply) &&
  !/\brate\b/i.test(reply)

const senderWords = [
  /\b(sending|account|sender|domain|user|subscription)\b.{0,60}\b(paused|suspended|disabled|deactivated|blocked|on hold|not (yet )?activated)\b/i,
  /\bnot (been )?verified\b|\bverified sender\b|\bbad outbound sender\b|\bsender (verif|address rejected)/i,
  /\bnot (allowed|authori[sz]ed|permitted) to send\b|\bSendAsDenied\b|\brelay(ing)? (access )?(denied|not permitted)\b/i,
]

/**
 * Whether a mail server's reply may be about us and not about this email: our address, our account or what it may send. Many
 * providers send no status with it, so their words count too. A rate that's too fast is over in a moment, so it isn't one.
 */
export function isAboutSender(reply: string): boolean {
  const status = statusOf(reply)
  if (senderStatus.test(status) || isLimit(reply)) return true
  return !addresseeStatus.test(status) && senderWords.some((words) => words.test(reply))
}
