import type { Context } from '#api/context.ts'
import { embeddedMail, embeddedMailHeaders, mailboxPage, mailboxPath, mailPage } from '#api/documents/mailbox-page.ts'
import type { PageStyle } from '#api/documents/plain-page.ts'
import { notFound } from '#api/errors.ts'
import { findInMailbox, listMailbox } from '#api/features/mail/mailbox-service.ts'
import { logoForMail } from '#api/features/site/brand/service.ts'
import { closedPolicy } from '#api/serving/closed-policy.ts'

/** How many mails a page shows, for each format. */
const perPage = { html: 50, json: 200 }

type Listing = { style: PageStyle; wantsJson: boolean; before: string | undefined }

export function respondWithMailbox(ctx: Context, { style, wantsJson, before }: Listing): Response {
  const limit = wantsJson ? perPage.json : perPage.html
  const found = listMailbox(ctx, { limit: limit + 1, before })
  const mails = found.slice(0, limit)
  const last = mails.at(-1)
  const older = found.length > limit && last !== undefined ? `${mailboxPath}?before=${last.id}` : null
  const link: Record<string, string> = older === null ? {} : { link: `<${older}>; rel="next"` }
  if (wantsJson) return Response.json(mails, { headers: { 'content-security-policy': closedPolicy, ...link } })
  return htmlResponse(mailboxPage(style, mails, older), style.policy, link)
}

export function respondWithMail(ctx: Context, style: PageStyle, id: string): Response {
  return htmlResponse(mailPage(style, mailOf(ctx, id)), style.policy)
}

export async function respondWithMailHtml(ctx: Context, id: string): Promise<Response> {
  return new Response(embeddedMail(mailOf(ctx, id).html, await logoForMail(ctx)), { headers: embeddedMailHeaders })
}

function mailOf(ctx: Context, id: string) {
  const mail = findInMailbox(ctx, id)
  if (mail === undefined) throw notFound()
  return mail
}

const htmlResponse = (html: string, policy: string, more: Record<string, string> = {}) =>
  new Response(html, {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'private, no-store',
      'content-security-policy': policy,
      ...more,
    },
  })
