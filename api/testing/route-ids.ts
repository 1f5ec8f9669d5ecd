import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { generationOf } from '#api/db/generation.ts'
import { mediaFile } from '#api/features/media/store-service.ts'
import { pushKeysOf } from '#api/features/notices/keys-service.ts'
import { openCalendar } from './calendar.ts'
import { fillDatabase } from './full-database.ts'
import { addPasskeyRow } from './passkeys.ts'
import { addPhoto, type TestPerson } from './people.ts'
import type { World } from './world.ts'

/** Values for path parameters, by the path up to and including the parameter. */
export type RouteIds = Record<string, string>

/** Values that belong to no one, such as a page, a month or a word. Anyone with access to the route may use them. */
const words: RouteIds = {
  '/icons/:file': 'icon-192.png',
  '/social/:file': 'card.png',
  '/pictures/:file': 'none.svg',
  '/photographs/:file': 'none.webp',
  '/api/calendar/slots/:kind': 'sales',
  '/api/admin/content/:page': 'about',
  '/api/admin/mail-words/:kind': 'welcome',
  '/api/admin/inbox/:kind': 'members',
  '/api/admin/tiers/:tier': 'xl',
  '/api/admin/revenue-movements/:month': '2026-06',
  '/api/admin/commission-statements/:month': '2026-06',
  '/api/admin/vat/:quarter': '2026-Q2',
  '/api/admin/settings/:name': 'SELLER_NAME',
  '/api/admin/setting-groups/:group': 'seller',
  '/api/admin/setup/:name': 'mail',
  '/api/admin/jobs/:name': 'heartbeat',
  '/api/admin/reports/:kind': 'daily',
  '/api/admin/payouts/:id': 'po_1',
  '/api/admin/payments/:charge': 'ch_1',
  '/sandbox/pages/:name': 'shop',
}

export const markOfMember = 'Zebedee'

/** A member of the highest tier with a row of everything, and real ids for every parameter of every route. */
export async function addMemberWithEverything(world: World): Promise<{ member: TestPerson; ids: RouteIds }> {
  const { ctx } = world
  // A server makes them when it starts.
  generationOf(ctx)
  pushKeysOf(ctx)
  const member = fillDatabase(world, 1)
  addPasskeyRow(ctx, member.id)
  addPhoto(ctx, member)
  await bookCall(world, member)
  markRows(world, member)
  return { member, ids: { ...words, ...rowsOf(world, member) } }
}

function markRows({ ctx }: World, { id }: TestPerson): void {
  const customer = `(select id from customers where "userId" = '${id}')`
  ctx.sqlite.exec(`
    update users set "firstName" = '${markOfMember}', phone = '07700 900999' where id = '${id}';
    update subscriptions set "tierSlug" = 'xl' where "customerId" = ${customer};
    delete from video_tiers; insert into video_tiers select id, 'xl' from member_videos;
    update video_texts set captions = 'WEBVTT ${markOfMember}';
    update coaching_bookings set agreed = 'Fewer vans, ${markOfMember}' where kind = 'catch-up';
    update question_messages set text = 'My boiler, ${markOfMember}';
    update inbox_notes set text = 'Rang ${markOfMember}';
    update mail_outbox set status = 'sent', text = 'Dear ${markOfMember}';
  `)
}

async function bookCall(world: World, member: TestPerson): Promise<void> {
  openCalendar(world)
  const body = { kind: 'catch-up', coach: 'coach-2', startsAt: '2026-06-15T08:00:00.000Z' }
  await world.signIn(member)('/api/calendar/calls', { body })
}

function rowsOf({ ctx }: World, { id, email }: TestPerson): RouteIds {
  const one = (column: string, rest: string) =>
    String(ctx.sqlite.prepare(`select ${column} from ${rest}`).pluck().get() ?? '')
  const customer = one('id', `customers where "userId" = '${id}'`)
  const invoice = one('id', `invoices where "customerId" = '${customer}'`)
  const video = one('id', 'member_videos')
  const call = one('id', `coaching_bookings where "userId" = '${id}'`)
  const photo = one('id', `member_photos where "userId" = '${id}'`)
  const post = one('id', 'blog_posts')
  const mail = one('max(id)', 'mail_outbox')
  const [videoFile, sound] = ['video_files', 'podcast_episodes'].map((table) =>
    storeMedia(ctx, one('"mediaId"', table)),
  )
  return {
    ...ofAdmin({ one, id }, { invoice, video, call, photo, post, mail }),
    '/api/photos/:id': photo,
    '/api/user/passkeys/:id': one('id', `passkeys where "userId" = '${id}'`),
    '/api/billing/invoices/:id': invoice,
    '/api/billing/credit-notes/:id': one('id', `credit_notes where "invoiceId" = '${invoice}'`),
    '/api/calendar/mine/:id': call,
    '/api/calendar/feeds/:feed': one('id', 'call_feeds'),
    '/api/member-videos/:id': video,
    '/api/video-progress/:id': video,
    '/api/members/questions/:id': one('id', `questions where "userId" = '${id}'`),
    '/api/members/question-files/:fileId': one('id', 'question_files where "readyAt" is not null'),
    '/api/members/videos/:id': video,
    '/api/members/published-questions/:id': one('id', 'published_questions'),
    '/api/media/:file': videoFile ?? '',
    '/media/:file': sound ?? '',
    '/api/blog/:slug': one('slug', 'blog_posts'),
    '/sandbox/mail/:id': mail,
    '/sandbox/push/:phone': 'none',
    '/api/admin/suppressed-addresses/:email': email,
  }
}

function storeMedia(ctx: World['ctx'], mediaId: string): string {
  const row = ctx.sqlite.prepare<[string], { sha256: string; format: string }>('select * from media where id = ?')
  const stored = row.get(mediaId)
  if (stored === undefined) throw new Error('There is no such file.')
  const path = mediaFile(ctx, stored)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, 'Z')
  return `${mediaId}.${stored.format}`
}

type Rows = Record<'invoice' | 'video' | 'call' | 'photo' | 'post' | 'mail', string>

function ofAdmin(
  { one, id }: { one: (column: string, rest: string) => string; id: string },
  { invoice, video, call, photo, post, mail }: Rows,
): RouteIds {
  const below: RouteIds = {
    'photos/:id': photo,
    'imports/:id': one('id', 'imports'),
    'invitations/:id': one('id', 'member_invitations'),
    'owners/:id': id,
    'owners/invitations/:id': one('id', 'owner_invitations'),
    'impersonate/:memberId': id,
    'member/:memberId': id,
    'members/:memberId': id,
    'members/:memberId/photos/:id': photo,
    'member-progress/:memberId': id,
    'calendar/monthly/:memberId': id,
    'commission-status/:userId': id,
    'inbox/:kind/:id': id,
    'inbox/:kind/:id/notes/:noteId': one('id', 'inbox_notes'),
    'membership-applications/:id': one('id', 'membership_applications'),
    'coaching-applications/:id': one('id', 'coaching_applications'),
    'coaching-bookings/:id': call,
    'questions/:id': one('id', `questions where "userId" = '${id}'`),
    'question-files/:fileId': one('id', 'question_files where "readyAt" is not null'),
    'published-questions/:id': one('id', 'published_questions'),
    'saved-replies/:id': one('id', 'saved_replies'),
    'quotient-orders/:id': one('id', 'quotient_orders'),
    'calendar/days/:id': one('id', 'call_days'),
    'calendar/calls/:id': call,
    'calendar/feeds/:id': one('id', 'call_feeds'),
    'invoice/:ref': invoice,
    'credits/:id': one('id', 'customer_credits'),
    'manual-commissions/:id': one('id', 'manual_commissions'),
    'commission-payments/:id': one('id', 'commission_ledger'),
    'videos/:id': video,
    'videos/:id/versions/:form': 'light',
    'media/:id': one('id', 'media'),
    'media/uploads/:id': one('id', 'media_uploads'),
    'blog/:id': post,
    'blog/:id/versions/:number': '1',
    'podcast/:id': one('id', 'podcast_episodes'),
    'announcements/:id': one('id', 'announcements'),
    'mailings/:id': one('id', 'mailings'),
    'mail/:mailId': mail,
    'events/:id': 'evt_1',
  }
  return Object.fromEntries(Object.entries(below).map(([path, found]) => [`/api/admin/${path}`, found]))
}

/** Fails for a new parameter: someone has to say whose the ids are. */
export function addressWith(ids: RouteIds, path: string): string {
  const parts = path.split('/')
  const filled = parts.map((part, at) => {
    if (!part.startsWith(':')) return part
    const known = ids[parts.slice(0, at + 1).join('/')]
    if (!known) throw new Error(`api/testing/route-ids.ts does not know ${parts.slice(0, at + 1).join('/')}`)
    return encodeURIComponent(known)
  })
  return filled.join('/')
}
