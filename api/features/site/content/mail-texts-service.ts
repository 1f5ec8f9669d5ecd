import * as v from 'valibot'
import type { Context } from '#api/context.ts'
import { AppError } from '#api/errors.ts'
import { listTiers } from '#api/features/tiers/service.ts'
import type { Owner } from '#api/identity/person.ts'
import { queueMail } from '#api/mail/outbox.ts'
import { logoInMail, renderMail } from '#api/mail/templates/layout.ts'
import { sampleMail, withOwnersTexts } from '#api/mail/templates/samples.ts'
import { contentOf, placeholderValues } from '#api/site/content.ts'
import { type MailKind, MailTexts, mailKinds } from '#shared/contract/texts/mails.ts'
import { londonDay } from '#shared/rules/london.ts'
import { applyOverrides } from '#shared/rules/overrides.ts'
import { fillPlaceholders } from '#shared/rules/placeholders.ts'
import { readContentPage } from './edit-service.ts'
import { draftOf, emailOfOwner } from './queries.ts'

const Entries = v.fallback(v.record(v.string(), v.unknown()), {})

/** All mail texts with this owner's draft. Parts of the draft that don't fit yet keep the published text. */
function draftedTexts(ctx: Context, { userId }: Owner): MailTexts {
  const { mails } = contentOf(ctx).read()
  if (userId === null) return mails
  const entries = v.parse(Entries, draftOf.get(ctx, { page: 'mails', userId })?.entries ?? {})
  const wanted = applyOverrides(
    readContentPage(ctx, 'mails').value,
    Object.entries(entries).map(([entry, value]) => ({ entry, value })),
  )
  const drafted = v.safeParse(MailTexts, fillPlaceholders(wanted, placeholderValues(ctx)))
  return drafted.success ? drafted.output : mails
}

function messageOf(ctx: Context, owner: Owner, kind: MailKind) {
  const [first, second] = listTiers(ctx).tiers
  const names = [first?.name ?? 'Lite', second?.name ?? 'Standard'] as const
  const site = { url: ctx.settings.publicUrl, today: londonDay(ctx.billingNow()), tiers: names }
  return withOwnersTexts(sampleMail(kind, site), draftedTexts(ctx, owner)[kind])
}

export const listMailTexts = (ctx: Context, owner: Owner) =>
  mailKinds.map((kind) => ({ kind, subject: messageOf(ctx, owner, kind).subject }))

/** A mail to a made-up member, for the editor's frame. Runs no scripts and loads nothing from elsewhere. */
export function respondWithMail(ctx: Context, owner: Owner, kind: MailKind): Response {
  const { site } = contentOf(ctx).read()
  const { html } = renderMail(messageOf(ctx, owner, kind), site)
  return new Response(html.replaceAll(logoInMail, Bun.escapeHTML(site.brand.logo)), {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'SAMEORIGIN',
      'content-security-policy': `default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; frame-ancestors 'self'; sandbox allow-same-origin`,
    },
  })
}

export function sendTestMail(ctx: Context, owner: Owner, kind: MailKind): { to: string } {
  const to = emailOfOwner(ctx, owner.userId)
  if (to === null) throw new AppError('forbidden', 'Log in as an owner to send yourself a test.')
  const { site } = contentOf(ctx).read()
  const message = messageOf(ctx, owner, kind)
  const body = renderMail({ ...message, subject: `Test: ${message.subject}` }, site)
  queueMail(ctx, { cause: `test:${ctx.newId()}`, to, userId: owner.userId, ...body })
  return { to }
}
