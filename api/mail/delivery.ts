import type { Context } from '#api/context.ts'
import { jobPatienceMs, whenWritable } from '#api/db/busy.ts'
import { isBusyError } from '#api/db/sqlite-errors.ts'
import { deadlineSignal } from '#api/stripe/deadline.ts'
import { repeatCutOff, repeatFromFuture, type TakenMail, takeNext, takeOfCause } from './due.ts'
import { deliverMail, type Outcome } from './hand-over.ts'
import { localMailbox } from './mailbox.ts'
import type { Mailer } from './mailer.ts'
import { endOutage, isPaused, recordOutage } from './outage.ts'
import { onMailQueued, wakeOutbox } from './outbox-wake-up.ts'
import { smtpMailer } from './smtp.ts'
import { isUnrecorded, recordSent } from './under-way.ts'

/** So that a run soon reports what it has sent. Where more is due, the next follows at once. */
const mailsPerRun = 100
/** Connections to the mail server at once; providers allow ten and more. */
const handOversAtOnce = 8
/** A server that looks an address up elsewhere takes a second or two; one that takes longer may be silent for long. */
const slowMs = 2000
/** With the silent ones: as many as are begun one after the other before the first of them is given up, after 30 seconds. */
const underWayAtOnce = 16
/** However many addresses of a mailing the server is silent at, somebody waits for a link. */
const linksBesideThose = 8
/** As often as a run begins: what is due again, or queued by another program, wakes nobody. */
const lookMs = 5000

export type MailReport = Record<Outcome, number>

type Runs = { isTakenOver?: boolean; isClockSetBack?: boolean; stopping?: AbortSignal | undefined }

const noMail: Readonly<MailReport> = { sent: 0, delayed: 0, refused: 0, failed: 0 }

/**
 * Sends what is due. Without a server to send by, mail waits in the outbox; in the sandbox the mailbox takes it. What a sender
 * that died was handing over is due at once where its run `isTakenOver`, and everything where the clock was set back: when
 * it was due, nobody knows. Once `stopping`, no more is taken, and what is being handed over ends.
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
  return mailer === null || isPaused(ctx) ? { ...noMail } : sendDueMail(ctx, mailer, stopping)
}

/**
 * Records what a run could not store, for a server that ends: nobody knows of it afterwards, and it would be sent a second time.
 * Where another program writes, that is waited for.
 */
export async function recordLastSent(ctx: Context): Promise<void> {
  if (!isUnrecorded(ctx)) return
  await whenWritable(ctx, jobPatienceMs)
  recordSent(ctx)
}

/**
 * Sends the mail of this cause by itself, for somebody who waits for the outcome: however much else is due, also in the pause of
 * an outage, and no longer than a request may take. Where it finds the server there again, what waits follows.
 */
export async function sendMailOf(ctx: Context, cause: string): Promise<void> {
  const mailer = mailerOf(ctx)
  const mail = mailer && takeOfCause(ctx, cause)
  if (!mail) return
  const { server } = await deliverMail(ctx, mailer, { mail, asked: deadlineSignal() })
  if (server === 'away') recordOutage(ctx)
  else if (server === 'answered' && endOutage(ctx)) wakeOutbox(ctx)
}

function mailerOf({ settings: { smtpUrl, mailFrom, isSandbox } }: Context): Mailer | null {
  if (smtpUrl !== undefined) return smtpMailer({ url: smtpUrl, from: mailFrom })
  return isSandbox ? localMailbox : null
}

/**
 * `answered`: how many mails the server has said something to. `slow`: how many it has been silent at for a moment; `busy`: the
 * others under way.
 */
type Run = { report: MailReport; taken: number; answered: number; busy: number; slow: number } & Round

/**
 * A run has a round, and another while the server is silent at some mails. `isAnswering`: it has said something to a mail of this
 * round. `stop`: why the round takes no more mail; a `failure` is thrown in the end.
 */
type Round = { isAnswering: boolean; stop: 'away' | 'cut-off' | null; failure?: { error: unknown } }

/**
 * Sends what is due: one-time links before all else, then the oldest first. The first mail goes alone, and where it finds the
 * server unavailable, none follows; what waits stays due, and the server is asked again after a pause, by another mail where
 * it went away at this one. A mail at which it says nothing for a moment holds up no other: the next goes alone in its place,
 * one at which it has not failed before, until the server has answered.
 */
async function sendDueMail(ctx: Context, mailer: Mailer, stopping?: AbortSignal): Promise<MailReport> {
  const run: Run = { report: { ...noMail }, taken: 0, answered: 0, busy: 0, slow: 0, isAnswering: false, stop: null }
  let changed = Promise.withResolvers<void>()
  const onChange = () => {
    changed.resolve()
    changed = Promise.withResolvers()
  }
  // What is queued while the server is silent at others goes at once, such as a link that somebody waits for.
  const endWatch = onMailQueued(ctx, onChange)
  const look = setInterval(onChange, lookMs)
  try {
    while (true) {
      const mail = stopping?.aborted ? undefined : takeFor(ctx, run)
      if (mail !== undefined) {
        void sendWithin(ctx, mailer, { mail, run, onChange })
        // The mailbox takes mail without a wait, and requests shall not wait for a whole run.
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

/** What cannot be stored ends the run, once what is under way is through; while another program writes, nothing is due yet. */
function takeFor(ctx: Context, run: Run): TakenMail | undefined {
  if (!mayTake(run) || isPaused(ctx)) return undefined
  const isUntriedFirst = !run.isAnswering && run.slow > 0
  try {
    if (!isWritable(ctx)) return undefined
    return takeNext(ctx, { isUntriedFirst, isLink: run.busy + run.slow >= underWayAtOnce })
  } catch (error) {
    if (!isBusyError(error)) run.failure = { error }
    return undefined
  }
}

/** Where another program writes, mail is looked for again after it. */
function isWritable(ctx: Context): boolean {
  const wait = whenWritable(ctx, jobPatienceMs)
  const lookAgain = () => wakeOutbox(ctx)
  void wait?.then(lookAgain, lookAgain)
  return wait === undefined
}

/** A run that waits for silent mails anyway takes more meanwhile than it has to. */
const mayTake = ({ failure, stop, taken, busy, slow, isAnswering }: Run) =>
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
    }
    // Where the server has answered others since, it is there, and was silent at this mail alone.
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
