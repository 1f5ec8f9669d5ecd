import * as v from 'valibot'
import { expect, test } from 'vitest'
import { addPost } from '#api/features/site/blog/service.ts'
import { queueMail } from '#api/mail/outbox.ts'
import { documentReader } from '#api/testing/api-document.ts'
import { openCalendar } from '#api/testing/calendar.ts'
import { contactMessage } from '#api/testing/enquiries.ts'
import { addQuestionRows } from '#api/testing/question-rows.ts'
import { startWorld } from '#api/testing/world.ts'
import { InvitationResponse } from '#shared/contract/inbox.ts'
import { ReactivationLink } from '#shared/contract/reactivation.ts'

test('V8.1.2 a response contains what its schema names and nothing else', async () => {
  const world = startWorld()
  const [video] = world.addVideos()
  const member = world.addMember()
  const owner = world.addOwner()
  const call = world.signIn(owner)
  const questionId = addQuestionRows(world.ctx, { userId: owner.id, videoId: video?.id ?? '' })
  addPost(world.ctx, { slug: 'vans', title: 'Vans', content: '<p>x</p>', isPublished: true })
  queueMail(world.ctx, { cause: 'tea:1', to: member.email, userId: null, subject: 'Tea?', text: 'Tea.', html: '<p>' })
  const mailId = world.ctx.sqlite.prepare('select max(id) from mail_outbox').pluck().get()
  const postId = world.ctx.sqlite.prepare('select id from blog_posts').pluck().get()
  const fileId = world.ctx.sqlite.prepare('select id from question_files').pluck().get()
  const asked: Record<string, string> = {
    ':tier': 'lite',
    ':id': String(postId),
    ':memberId': member.id,
    ':slug': 'vans',
    ':mailId': String(mailId),
    ':month': '2026-06',
    ':quarter': '2026-Q2',
    ':kind': 'sales',
    ':page': 'about',
  }
  const made = await call('/api/admin/reactivation-links', { body: { email: 'sam@example.com' } })
  const { url } = v.parse(ReactivationLink, await made.json())
  const { id } = await (await world.call('/api/contact', { body: contactMessage })).json()
  const about = `/api/admin/inbox/contacts/${id}`
  const invited = await call(`${about}/invitation`, { body: { tierSlug: 'xl' } })
  openCalendar(world)
  const startsAt = '2026-06-15T08:00:00.000Z'
  await world.call('/api/calendar/holds', {
    body: { kind: 'sales', coach: 'coach-1', startsAt, name: 'Sam', email: 'sam@example.com' },
  })
  const held = world.ctx.sqlite.prepare(`select text from mail_outbox where cause like 'call:%'`).pluck().get()
  const token = `?token=${/call=(\S+)/.exec(String(held))?.[1]}`
  const catchUp = { kind: 'catch-up', coach: 'coach-2', startsAt }
  await world.signIn(member)('/api/calendar/calls', { body: catchUp })
  const callId = world.ctx.sqlite.prepare(`select id from coaching_bookings where kind = 'catch-up'`).pluck().get()
  const written = { subject: 'News', text: 'Words', purpose: 'news', segment: {} }
  const mailing = (await (await call('/api/admin/mailings', { body: written })).json()).id
  const importId = world.ctx.newId()
  world.ctx.sqlite
    .prepare(
      `insert into imports (id, kind, options, state, columns, facts, createdAt) values (?, 'members', '{"columns":{}}', 'applied', '[]', '{}', ?)`,
    )
    .run(importId, world.ctx.now().toISOString())
  const own: Record<string, string> = {
    ...Object.fromEntries(['', '/rows', '/letters'].map((part) => [`/api/admin/imports/:id${part}`, importId])),
    '/api/members/question-files/:fileId': String(fileId),
    '/api/admin/question-files/:fileId': String(fileId),
    '/api/admin/questions/:id': questionId,
    '/api/members/videos/:id/questions': video?.id ?? '',
    '/api/admin/mailings/:id': mailing,
    '/api/admin/mailings/:id/people': mailing,
    '/api/admin/calendar/calls/:id/agreed': String(callId),
    ...Object.fromEntries(
      ['', '/viewers', '/versions', '/published-questions'].map((part) => [
        `/api/admin/videos/:id${part}`,
        video?.id ?? '',
      ]),
    ),
  }
  const queries: Record<string, string> = {
    '/api/calendar/call': token,
    '/api/calendar/call/slots': token,
    '/api/invitation': new URL(v.parse(InvitationResponse, await invited.json()).url).search,
    '/api/delayed-subscription': new URL(url).search,
    '/api/admin/tiers/lite/price': '?price=20000',
    '/api/admin/mailing-audience': '?purpose=news',
    '/api/admin/mailing-audience/count': '?purpose=news',
    '/api/admin/mail-resend': '?since=2026-01-01T00:00:00.000Z',
    '/api/admin/content-texts': '?q=brand',
    '/api/admin/tier-sentences': '?cards=4&hasMonth=true&hasYear=true',
    '/api/admin/tier-mentions': '?tier=xl',
    '/api/admin/videos/hosted': '?videoType=wistia&videoId=abc123def4',
  }
  const { faultOf } = documentReader(await (await world.call('/api/docs/json')).json())
  for (const { method, path, hooks } of world.wholeApp().routes) {
    if (method !== 'GET' || !path.startsWith('/api/') || isNoJson.test(path)) continue
    const schema: unknown = hooks.response?.['200']
    if (!isSchema(schema)) throw new Error(`${path} declares no answer`)
    const known = path.replace(/\/$/, '').replace(/:\w+/, (name) => own[path] ?? asked[name] ?? name)
    const address = path.includes('/inbox/') ? `${about}/${path.split('/').at(-1)}` : known
    const response = await call(`${address}${queries[address] ?? ''}`)
    const body: unknown = await response.clone().json()
    expect([path, response.status, v.parse(schema, body)]).toEqual([path, 200, body])
    const written = path.replace(/:(\w+)/g, '{$1}').replace(/\/$/, '')
    expect([path, await faultOf(method, written, response)]).toEqual([path, null])
  }
})

/** Documents, files, redirects and routes that need Stripe or the disk. They have their own tests. */
const isNoJson =
  /^\/api\/(docs|logout$|mail\/unsubscribe$|billing\/(next-payment$|(invoices|credit-notes)\/:id)|admin\/((exports|invoice|mail-words|photos)\/|mrr-diff|event-gaps|subscription-links|lost-orders|payouts|podcast\/:id|blog\/:id\/versions\/|media\/uploads\/|mailings\/:id\/preview|members\/:memberId\/(refund|next-payment)$)|member-videos\/:id\/captions|(members|admin)\/question-files\/:fileId\/content|media\/|photos\/|calendar\/(call\.ics|feeds))/

const isSchema = (value: unknown): value is v.GenericSchema =>
  typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'schema'
