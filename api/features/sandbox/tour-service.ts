import { and, eq, isNotNull, notInArray } from 'drizzle-orm'
import * as v from 'valibot'
import type { Context } from '#api/context.ts'
import { customers } from '#api/db/schema/customers.ts'
import { users } from '#api/db/schema/people.ts'
import { subscriptions } from '#api/db/schema/subscriptions.ts'
import { readSetting, writeSetting } from '#api/db/stored-settings.ts'
import { mailboxPath } from '#api/documents/mailbox-page.ts'
import type { PageStyle } from '#api/documents/plain-page.ts'
import {
  type Tour,
  type TourOutcome,
  type TourStep,
  tourPage,
  tourPath,
  type UnderWay,
} from '#api/documents/tour-page.ts'
import { peopleSeeds, sandboxPassword } from '#data/seed/people.ts'
import { yearSeeds } from '#data/seed/year.ts'
import { dayMs } from '#shared/rules/durations.ts'
import { formatLongDate } from '#shared/rules/london.ts'
import { moveIn } from './clock-service.ts'

export const tourActionPath = `${tourPath}/do`

const tourKey = 'sandbox_tour'

const stepIds = ['join', 'fail', 'clock', 'mail', 'owner', 'logo', 'keep', 'offline'] as const
export type StepId = (typeof stepIds)[number]

const Outcome = v.object({ isOk: v.boolean(), lines: v.array(v.string()) })
const Progress = v.object({
  done: v.fallback(v.array(v.picklist(stepIds)), []),
  outcomes: v.fallback(v.record(v.string(), Outcome), {}),
})
type Progress = v.InferOutput<typeof Progress>

/** What's been done so far, and the result of each step's last press. Lives as long as the data folder. */
const readProgress = (ctx: Context): Progress => v.parse(Progress, readSetting(ctx, tourKey)?.value ?? {})

export const outcomeOf = (ctx: Context, step: StepId): TourOutcome | null => readProgress(ctx).outcomes[step] ?? null

export function recordStep(ctx: Context, step: StepId, outcome: TourOutcome): void {
  const { done, outcomes } = readProgress(ctx)
  writeSetting(ctx, tourKey, {
    done: outcome.isOk ? [...new Set([...done, step])] : done,
    outcomes: { ...outcomes, [step]: outcome },
  })
}

/** How far the billing clock is ahead, in minutes. A press carries it, so that sending it twice moves the clock once. */
export const clockOf = (ctx: Context): string =>
  String(Math.round((ctx.billingNow().getTime() - ctx.now().getTime()) / 60_000))

function underWay(ctx: Context): UnderWay | null {
  const { move } = moveIn(ctx)
  if (move === null) return null
  const [days = 0, of = 0] = [ctx.billingNow(), move.to].map((at) => (at.getTime() - move.from.getTime()) / dayMs)
  return { days: Math.min(Math.floor(days), of), of, next: `${tourPath}?at=${ctx.now().getTime()}#clock` }
}

type TourReader = { email: string; isAdmin: boolean } | null

/** The sandbox's story as a checklist. In production only owners see it, and it shows no password. */
export function respondWithTour(ctx: Context, style: PageStyle, reader: TourReader): Response {
  const tour: Tour = {
    steps: stepsOf(ctx, reader),
    notice: `In the sandbox it’s ${formatLongDate(ctx.billingNow())}.`,
    action: tourActionPath,
    clock: clockOf(ctx),
  }
  return new Response(tourPage(style, tour), {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': style.policy,
    },
  })
}

function stepsOf(ctx: Context, reader: TourReader): TourStep[] {
  const { done, outcomes } = readProgress(ctx)
  const seen: Partial<Record<StepId, boolean>> = {
    join: hasJoined(ctx),
    clock: clockOf(ctx) !== '0',
    owner: reader?.isAdmin === true,
  }
  const texts = tourTexts(ctx, reader)
  return stepIds.map((id) => ({
    ...texts[id],
    id,
    isDone: done.includes(id) || seen[id] === true,
    underWay: id === 'clock' ? underWay(ctx) : null,
    outcome: outcomes[id] ?? null,
  }))
}

type TourTexts = Omit<TourStep, 'id' | 'isDone' | 'outcome' | 'underWay'>

const tourTexts = (ctx: Context, reader: TourReader): Record<StepId, TourTexts> => ({
  ...moneyTexts,
  ...otherTexts,
  ...loginTexts(ctx, reader),
})

const moneyTexts: Record<'join' | 'fail' | 'clock' | 'mail', TourTexts> = {
  join: {
    title: 'Join as a member',
    lines: [
      'Make up a name and an email address, and pick a membership. Pay with card `4242 4242 4242 4242`, any date in the future and any three digits.',
    ],
    links: [{ label: 'Join', href: '/membership-application' }],
  },
  fail: {
    title: 'Fail a payment',
    lines: ['Give a member a card the bank will turn down, and their next payment fails.'],
    buttons: [{ label: 'Give a member a bad card', value: 'fail' }],
  },
  clock: {
    title: 'Move the clock',
    lines: ['Payments, reminders and endings happen as their day comes. The clock only goes forward.'],
    buttons: [
      { label: 'Go on a week', value: 'week' },
      { label: 'Go on a month', value: 'month' },
    ],
  },
  mail: {
    title: 'See the emails',
    lines: ['Welcome, receipts, the failed payment: every email the site would have sent is in the mailbox.'],
    links: [{ label: 'Open the mailbox', href: mailboxPath }],
    buttons: [{ label: 'I’ve read one', value: 'mail' }],
  },
}

const otherTexts: Record<'logo' | 'offline', TourTexts> = {
  logo: {
    title: 'Change the logo',
    lines: [
      'As an owner, pick a picture for the logo and publish it. Any PNG or SVG will do.',
      'Then open the front page. Your logo’s in the header, and on emails and invoices from now on.',
    ],
    links: [
      { label: 'Open name and logo', href: '/admin/words?page=site&part=brand' },
      { label: 'Open the front page', href: '/' },
    ],
    buttons: [{ label: 'I’ve seen my logo', value: 'logo' }],
  },
  offline: {
    title: 'Tick one off with no signal',
    lines: [
      'Still without signal, tick a video as watched and reload. The tick is still there. Switch the signal on, and it’s sent, once.',
    ],
    links: [{ label: 'Open the videos', href: '/members' }],
    buttons: [{ label: 'I’ve tried it', value: 'offline' }],
  },
}

/** A production demo has its own owners, and passwords that must not appear here. */
function loginTexts({ settings }: Context, reader: TourReader): Record<'owner' | 'keep', TourTexts> {
  const { password, owner, member } = settings.isProduction
    ? { password: '', owner: 'your own address', member: 'the member you joined as' }
    : {
        password: ` The password is \`${sandboxPassword}\`.`,
        owner: '`owner@alliance.test`',
        member: '`standard@alliance.test`',
      }
  return {
    owner: {
      title: 'Log in as an owner',
      lines: [
        `See the members, the money and what there is to do today. Log in with ${owner}.${password}`,
        ...(reader === null
          ? []
          : [`You’re logged in here as ${reader.email}${reader.isAdmin ? '.' : ': log out first.'}`]),
      ],
      links: ownerLinks(reader),
      buttons: [{ label: 'I’ve been in', value: 'owner' }],
    },
    keep: {
      title: 'Play a video with no signal',
      lines: [
        `Log in as ${member}.${password} Open a video and press “Keep on this phone”.`,
        'Then switch the signal off: flight mode on a phone, “Offline” in the browser’s developer tools. Open the video again, and it plays.',
      ],
      links: [{ label: 'Open the members’ area', href: '/members' }],
      buttons: [{ label: 'It played', value: 'keep' }],
    },
  }
}

/** The login form redirects anyone who's logged in, so show them the logout first. */
function ownerLinks(reader: TourReader): TourStep['links'] {
  if (reader?.isAdmin) return [{ label: 'Open the admin', href: '/admin' }]
  const login = { label: 'Open the login form', href: '/login?redirect=%2Fadmin' }
  return reader === null ? [login] : [{ label: 'Log out', href: '/api/logout' }, login]
}

const hasJoined = ({ db }: Context): boolean =>
  db
    .select({ id: users.id })
    .from(users)
    .innerJoin(customers, eq(customers.userId, users.id))
    .innerJoin(subscriptions, eq(subscriptions.customerId, customers.id))
    .where(
      and(
        notInArray(
          users.email,
          [...peopleSeeds, ...yearSeeds].map(({ email }) => email),
        ),
        notInArray(subscriptions.status, ['incomplete', 'incomplete_expired']),
        isNotNull(subscriptions.currentPeriodEnd),
      ),
    )
    .limit(1)
    .get() !== undefined
