import { and, asc, desc, eq, gt } from 'drizzle-orm'
import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { transact } from '#api/db/open.ts'
import { customers } from '#api/db/schema/customers.ts'
import { mailOutbox } from '#api/db/schema/mail.ts'
import { users } from '#api/db/schema/people.ts'
import { subscriptions } from '#api/db/schema/subscriptions.ts'
import { type TourOutcome, tourPath } from '#api/documents/tour-page.ts'
import { AppError } from '#api/errors.ts'
import { type Owner, ownerOnceAsked } from '#api/identity/person.ts'
import { errorMessage } from '#api/log.ts'
import { toOwnerError } from '#api/stripe/errors.ts'
import { formatLongDate } from '#shared/rules/london.ts'
import { fullName } from '#shared/rules/person-name.ts'
import { plural } from '#shared/rules/plural.ts'
import { moveHeldClock, withClockHeld } from './clock-service.ts'
import { attachFailingCard } from './purchases-service.ts'
import { clockOf, outcomeOf, recordStep, type StepId } from './tour-service.ts'

/** Outside production, anyone on this machine may press the buttons. */
export const tourVisitor = ownerOnceAsked('local:sandbox')

const tickedSteps = ['mail', 'owner', 'logo', 'keep', 'offline'] as const

const afterTick: Record<(typeof tickedSteps)[number], string> = {
  mail: 'Next: log in as an owner.',
  owner: 'Next: change the logo.',
  logo: 'Next: play a video with no signal.',
  keep: 'Next: tick one off with no signal.',
  offline: 'That was the last one. Everything stays as you left it until you delete the data folder.',
}

const spans: Record<string, string> = { week: '7d', month: '31d' }

/** Runs a button's action, then redirects the browser to its step, which says what happened. `body` is form-encoded. */
export async function runTourAction(ctx: Context, owner: Owner, body: string): Promise<Response> {
  const form = new URLSearchParams(body)
  const pressed = form.get('do') ?? ''
  const span = spans[pressed]
  if (span !== undefined) return moveClock(ctx, owner, span, form.get('clock'))
  if (pressed === 'fail') return runStep(ctx, 'fail', () => failNextPayment(ctx, owner))
  const ticked = tickedSteps.find((step) => step === pressed)
  if (ticked === undefined) throw new AppError('invalid', 'There’s no such step.')
  recordStep(ctx, ticked, { isOk: true, lines: [`Ticked off. ${afterTick[ticked]}`] })
  return backTo(ticked)
}

/** A month of many people takes seconds. A browser isn't kept waiting for it: the page shows how far it is. */
const answerWithinMs = 1_000

function moveClock(ctx: Context, owner: Owner, span: string, seen: string | null): Promise<Response> {
  const moved = runStep(ctx, 'clock', () => moveClockOnce(ctx, owner, span, seen))
  let isAnswered = false
  // A failure before that is the answer, and is logged with it.
  moved.catch((error) => isAnswered && ctx.log.error('clock not moved', { reason: errorMessage(error) }))
  return Promise.race([
    moved,
    Bun.sleep(answerWithinMs).then(() => {
      isAnswered = true
      return backTo('clock')
    }),
  ])
}

/** The page also shows known failures, with what to do next. Unexpected errors go up to be logged. */
async function runStep(ctx: Context, step: StepId, run: () => TourOutcome | Promise<TourOutcome>): Promise<Response> {
  try {
    recordStep(ctx, step, await run())
  } catch (error) {
    const known = toOwnerError(ctx, error)
    if (!(known instanceof AppError)) throw error
    const next =
      'Check that the terminal still shows the site running, and start it again with `npm start` if it doesn’t. Then press once more.'
    recordStep(ctx, step, { isOk: false, lines: [`That didn’t work. ${known.message}`, next] })
  }
  return backTo(step)
}

const backTo = (step: StepId) =>
  new Response(null, { status: 303, headers: { location: `${tourPath}#${step}`, 'cache-control': 'no-store' } })

/** Fails a monthly payer's next payment. It takes the middle one of the list first, so that everyone sees the same story. */
async function failNextPayment(ctx: Context, owner: Owner): Promise<TourOutcome> {
  const member = nextPayer(ctx)
  if (member === undefined) {
    return { isOk: false, lines: ['No member has a payment to come.', 'Join as a member first, then press again.'] }
  }
  await attachFailingCard(ctx, member.email)
  transact(ctx, () => audit(ctx, owner.actor, 'sandbox.card', { targetId: member.id }))
  return {
    isOk: true,
    lines: [
      `${fullName(member)} (${member.email}) now has a card the bank will turn down. The next payment is due on ${formatLongDate(member.dueAt)}.`,
      'Next: move the clock past that day, then see the emails.',
    ],
  }
}

function nextPayer({ db }: Context) {
  const payers = db
    .select({
      id: users.id,
      email: users.email,
      firstName: users.firstName,
      lastName: users.lastName,
      dueAt: subscriptions.currentPeriodEnd,
    })
    .from(users)
    .innerJoin(customers, eq(customers.userId, users.id))
    .innerJoin(subscriptions, eq(subscriptions.customerId, customers.id))
    .where(and(eq(subscriptions.status, 'active'), eq(subscriptions.cancelAtPeriodEnd, false)))
    .orderBy(asc(users.id))
    .all()
    .flatMap(({ dueAt, ...payer }) => (dueAt === null ? [] : [{ ...payer, dueAt }]))
  return payers.find(({ email }) => email === 'standard@alliance.test') ?? payers[0]
}

const mostMails = 5

/** `seen` is the clock as the page showed it. A double press, or one from an old page, doesn't move it further. */
const moveClockOnce = (ctx: Context, owner: Owner, span: string, seen: string | null): Promise<TourOutcome> =>
  withClockHeld(ctx, span, async () => {
    if (seen !== clockOf(ctx)) return clockAlreadyMoved(ctx)
    const before = newestMail(ctx)
    const { billingNow } = await moveHeldClock(ctx, owner, span)
    const outcome = {
      isOk: true,
      lines: [
        `It’s now ${formatLongDate(billingNow)}.`,
        mailsSince(ctx, before),
        'Reminders follow within a minute. Next: see the emails.',
      ],
    }
    // Recorded while we hold the clock, so that a waiting press sees what this one did.
    recordStep(ctx, 'clock', outcome)
    return outcome
  })

function mailsSince({ db }: Context, before: string): string {
  const mails = db
    .select({ to: mailOutbox.to, subject: mailOutbox.subject })
    .from(mailOutbox)
    .where(gt(mailOutbox.id, before))
    .orderBy(asc(mailOutbox.id))
    .all()
  if (mails.length === 0) return 'No payment was due on the way. Go on until one is.'
  const shown = mails.slice(0, mostMails).map(({ to, subject }) => `“${subject}” to ${to}`)
  const more = mails.length > mostMails ? ['and more'] : []
  return `${plural(mails.length, 'email')} on the way: ${[...shown, ...more].join('; ')}.`
}

const newestMail = ({ db }: Context): string =>
  db.select({ id: mailOutbox.id }).from(mailOutbox).orderBy(desc(mailOutbox.id)).limit(1).get()?.id ?? ''

function clockAlreadyMoved(ctx: Context): TourOutcome {
  const [, ...before] = outcomeOf(ctx, 'clock')?.lines ?? []
  const moved = `The clock has already moved. It’s now ${formatLongDate(ctx.billingNow())}. Press again to go further.`
  return { isOk: true, lines: [moved, ...before] }
}
