import type { Context } from '#api/context.ts'
import { jobPatienceMs, whenWritable } from '#api/db/busy.ts'
import { isBusyError } from '#api/db/sqlite-errors.ts'
import { repeatCutOff, repeatFromFuture, type TakenMail, takeNext, takeOfCause } from '#api/mail/due.ts'
import type { Mailer } from '#api/mail/mailer.ts'
import { endOutage, isPaused, recordOutage } from '#api/mail/outage.ts'
import { onMailQueued, wakeOutbox } from '#api/mail/outbox-wake-up.ts'
import { mayTake, putOffNext } from '#api/mail/sender-refusals.ts'
import { smtpMailer } from '#api/mail/smtp.ts'
import { isUnrecorded, recordSent } from '#api/mail/under-way.ts'
import { deadlineSignal } from '#api/stripe/deadline.ts'
import { deliverMail, type Outcome } from './hand-over-service.ts'
import { localMailbox } from './mailbox-service.ts'

/** Limits a run so that it reports soon. If more is due, another run follows straight away. */
const mailsPerRun = 100
/** Parallel connections to the mail server. Providers allow ten and more. */
const handOversAtOnce = 8
/** A server that checks the address elsewhere takes a second or two. A slower one may not answer for a long time. */
const slowMs = 2000
/** Including the ones we're waiting on: as many as start one after the other before the first times out after 30 seconds. */
const underWayAtOnce = 16
/** Keeps room for one-time links, however many of a mailing's addresses hang, because someone's waiting for them. */
const linksBesideThose = 8
/** Also the interval between runs. Retries and mail queued by another program trigger no wake-up. */
const lookMs = 5000

export type MailReport = Record<Outcome, number>

type Runs = { isTakenOver?: boolean; isClockSetBack?: boolean; stopping?: AbortSignal | undefined }

const noMail: Readonly<MailReport> = { sent: 0, delayed: 0, refused: 0, failed: 0 }

/**
 * Sends what's due. Without a mail server it stays in the outbox. In the sandbox the local mailbox takes it. If this run
 * `isTakenOver`, emails a dead sender had begun are due now. If the clock was set back, all are, since we can't trust their due
 * times. Once `stopping`, it takes no more and finishes what's in progress.
 */
export async function sendMail(
  ctx: Context,
  { isTakenOver = false, isClockSetBack = false, stopping }: Runs = {},
): Promise<MailReport> {
  recordSent(ctx)
  const now = ctx.now().toISOString()
  if (isTakenOver) repeatCutOff.run(ctx, { now })
  if (isClockSetBack) repeatFromFuture.run(ctx, { now })
  const mailer = mailerOf(ctx)
  return mailer === null || isHeldBack(ctx) ? { ...noMail } : sendDueMail(ctx, mailer, stopping)
}

/** Records what a run couldn't, before the server exits: otherwise those emails would be sent twice. */
export async function recordLastSent(ctx: Context): Promise<void> {
  if (!isUnrecorded(ctx)) return
  await whenWritable(ctx, jobPatienceMs)
  recordSent(ctx)
}

/**
 * Sends this cause's email for someone waiting for the result, whatever else is due, even during an outage's pause or a stop, and no
 * longer than a request may take. If the server turns out to be back, the rest follows.
 */
export async function sendMailOf(ctx: Context, cause: string): Promise<void> {
  const mailer = mailerOf(ctx)
  const mail = mailer && takeOfCause(ctx, cause)
  if (!mail) return
  const { server } = await deliverMail(ctx, mailer, { mail, asked: deadlineSignal() })
  if (server === 'away') recordOutage(ctx)
  else if (server === 'answered' && (endOutage(ctx) || mayTake(ctx) === 'all')) wakeOutbox(ctx)
}

/** Because the server was just unavailable, or takes no email from us. */
const isHeldBack = (ctx: Context): boolean => isPaused(ctx) || mayTake(ctx) === 'none'

function mailerOf({ settings: { smtpUrl, mailFrom, isSandbox } }: Context): Mailer | null {
  if (smtpUrl !== undefined) return smtpMailer({ url: smtpUrl, from: mailFrom })
  return isSandbox ? localMailbox : null
}

/** `answered`: emails the server has replied to. `slow`: those it's taking a while over. `busy`: the others in progress. */
type Run = { report: MailReport; taken: number; answered: number; busy: number; slow: number } & Round

/**
 * A run starts a new round when the server hangs on some emails. `isAnswering`: it has answered in this round. `stop`: why the
 * round takes no more mail. A `failure` is thrown at the end.
 */
type Round = { isAnswering: boolean; stop: 'away' | 'cut-off' | null; failure?: { error: unknown } }

/**
 * Sends what's due, one-time links first, then oldest first. The first email goes alone. If the server is unavailable, the rest
 * stays due, and we retry after a pause (with another email, if the server disconnected at this one). An email the server hangs
 * on doesn't hold up the others: the next goes alone, preferably one it hasn't failed on before, until the server answers.
 */
async function sendDueMail(ctx: Context, mailer: Mailer, stopping?: AbortSignal): Promise<MailReport> {
  const run: Run = { report: { ...noMail }, taken: 0, answered: 0, busy: 0, slow: 0, isAnswering: false, stop: null }
  let changed = Promise.withResolvers<void>()
  const onChange = () => {
    changed.resolve()
    changed = Promise.withResolvers()
  }
  // Also sends mail queued while the server hangs on others, such as a link someone is waiting for.
  const endWatch = onMailQueued(ctx, onChange)
  const look = setInterval(onChange, lookMs)
  try {
    while (true) {
      const mail = stopping?.aborted ? undefined : takeFor(ctx, run)
      if (mail !== undefined) {
        void sendWithin(ctx, mailer, { mail, run, onChange })
        // The mailbox takes mail without waiting, so let requests in between.
        await new Promise(setImmediate)
        continue
      }
      if (run.busy === 0) endRound(ctx, run)
      if (run.busy + run.slow === 0) break
      await changed.promise
    }
  } finally {
    clearInterval(look)
    endWatch()
  }
  if (run.failure !== undefined) throw run.failure.error
  if (run.taken >= mailsPerRun) wakeOutbox(ctx)
  return run.report
}

/** If the result can't be stored, the run ends after what's in progress. While another program writes, nothing is due yet. */
function takeFor(ctx: Context, run: Run): TakenMail | undefined {
  if (!hasRoom(run) || isHeldBack(ctx) || (run.busy + run.slow > 0 && mayTake(ctx) === 'one')) return undefined
  const isUntriedFirst = !run.isAnswering && run.slow > 0
  try {
    if (!isWritable(ctx)) return undefined
    return takeNext(ctx, { isUntriedFirst, isLink: run.busy + run.slow >= underWayAtOnce })
  } catch (error) {
    if (!isBusyError(error)) run.failure = { error }
    return undefined
  }
}

/** If another program is writing, looks again afterwards. */
function isWritable(ctx: Context): boolean {
  const wait = whenWritable(ctx, jobPatienceMs)
  const lookAgain = () => wakeOutbox(ctx)
  void wait?.then(lookAgain, lookAgain)
  return wait === undefined
}

/** A run that has to wait for hanging emails anyway may exceed its limit. */
const hasRoom = ({ failure, stop, taken, busy, slow, isAnswering }: Run) =>
  failure === undefined &&
  stop === null &&
  (taken < mailsPerRun || slow > 0) &&
  busy + slow < underWayAtOnce + linksBesideThose &&
  busy < (isAnswering ? handOversAtOnce : 1)

function endRound(ctx: Context, run: Run): void {
  if (run.stop === 'away' && !isPaused(ctx)) recordOutage(ctx)
  run.stop = null
  run.isAnswering = false
}

type InRun = { mail: TakenMail; run: Run; onChange: () => void }

async function sendWithin(ctx: Context, mailer: Mailer, { mail, run, onChange }: InRun): Promise<void> {
  run.taken += 1
  run.busy += 1
  const isTrial = mayTake(ctx) === 'one'
  let answeredBefore: number | null = null
  const onSlow = () => {
    answeredBefore = run.answered
    run.busy -= 1
    run.slow += 1
    onChange()
  }
  let timer: ReturnType<typeof setTimeout> | undefined
  const onBegin = () => {
    timer = setTimeout(onSlow, slowMs)
  }
  try {
    const { outcome, server } = await deliverMail(ctx, mailer, { mail, onBegin })
    run.report[outcome] += 1
    if (server === 'answered') {
      run.answered += 1
      run.isAnswering = true
      if (isTrial) putOffNext(ctx)
    }
    // The server has answered others since, so it only hangs on this email.
    const isThere = server === 'answered' || (answeredBefore !== null && run.answered > answeredBefore)
    if (isThere) endOutage(ctx)
    else if (server !== 'unasked') run.stop = server
  } catch (error) {
    run.failure ??= { error }
  } finally {
    clearTimeout(timer)
    if (answeredBefore === null) run.busy -= 1
    else run.slow -= 1
    onChange()
  }
}
