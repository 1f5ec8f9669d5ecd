import * as v from 'valibot'
import type { Context } from '#api/context.ts'
import type { PageStyle } from '#api/documents/plain-page.ts'
import { postedPage } from '#api/documents/posted-page.ts'
import { AppError } from '#api/errors.ts'
import type { PostedFormPath } from '#api/serving/paths.ts'
import { limitPublicForm } from '#api/serving/rate-limits.ts'
import { CoachingApplicationRequest } from '#shared/contract/coaching.ts'
import { CoachingBookingForm } from '#shared/contract/coaching-booking.ts'
import { ContactRequest } from '#shared/contract/contact.ts'
import { honeypot } from '#shared/contract/fields.ts'
import { bookingLabels, coachingApplicationLabels, contactLabels } from '#shared/contract/form-labels.ts'
import { bookingRequest } from '#shared/rules/coaching-request.ts'
import { uuidV7 } from '#shared/rules/id.ts'
import { tomorrowInLondon } from '#shared/rules/london.ts'
import { applyForCoaching, bookCoachingCall, sendContactMessage } from './service.ts'

type Fields = Record<string, string>
type Form = {
  name: string
  sent: { title: string; lead: string }
  /** Stores it. Returns what's wrong with it, a line each. */
  take(ctx: Context, fields: Fields, key: string): string[]
}

const taker =
  <Body>(
    schema: v.GenericSchema<unknown, Body>,
    labels: Readonly<Record<string, string>>,
    store: (ctx: Context, body: Body, key: string) => unknown,
  ): Form['take'] =>
  (ctx, fields, key) => {
    const { success, output, issues } = v.safeParse(schema, fields)
    if (success) store(ctx, output, key)
    const wrong = new Map<string, string>()
    for (const issue of issues ?? []) {
      const label = labels[v.getDotPath(issue) ?? ''] ?? 'The form'
      if (!wrong.has(label)) wrong.set(label, issue.message)
    }
    return [...wrong].map(([label, message]) => `${label}: ${message}`)
  }

const bookingFields = v.object({ ...CoachingBookingForm.entries, ...honeypot })

const forms: Record<PostedFormPath, Form> = {
  '/contact': {
    name: 'contact',
    sent: { title: 'Message sent', lead: 'We’ll get back to you soon.' },
    take: taker(ContactRequest, contactLabels, sendContactMessage),
  },
  '/coaching-application': {
    name: 'coaching-application',
    sent: { title: 'Application sent', lead: 'We’ll be in touch within 24 hours.' },
    take: taker(CoachingApplicationRequest, coachingApplicationLabels, applyForCoaching),
  },
  '/book-coaching-call': {
    name: 'coaching-bookings',
    sent: { title: 'Booking request sent', lead: 'The coach will contact you within 24 hours.' },
    take: taker(bookingFields, bookingLabels, (ctx, { homepage, ...form }, key) =>
      bookCoachingCall(ctx, { ...bookingRequest(form, ctx.now()), homepage }, key),
    ),
  },
}

/** Nobody made a key for it: the same text on the same day is the same form, however often it's pressed. */
function keyOf(ctx: Context, body: string): string {
  const hash = new Bun.CryptoHasher('sha256').update(tomorrowInLondon(ctx.now())).update(body).digest()
  return uuidV7(0, hash)
}

type Posted = { path: PostedFormPath; body: string; address: string; style: PageStyle }

/** A form that a browser sent without our scripts, answered by a page. */
export function respondToPostedForm(ctx: Context, { path, body, address, style }: Posted): Response {
  const { name, sent, take } = forms[path]
  const respond = (status: number, page: Parameters<typeof postedPage>[1]) =>
    new Response(postedPage(style, page), {
      status,
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        'content-security-policy': style.policy,
      },
    })
  const title = 'Not sent yet'
  try {
    limitPublicForm(ctx, name, address)
    const lines = take(ctx, Object.fromEntries(new URLSearchParams(body)), keyOf(ctx, body))
    if (lines.length === 0) return respond(200, sent)
    return respond(422, { title, lead: 'Go back to the form, put this right and send it again.', lines })
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return respond(error.status, {
      title,
      lead: `${error.message} Go back to the form: what you typed is still there.`,
    })
  }
}
