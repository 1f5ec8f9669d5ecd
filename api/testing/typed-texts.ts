import type { World } from './world.ts'

/** Every column with typed text. `content-injection.test.ts` covers the texts of pages and emails. */
export const typedColumns: Readonly<Record<string, readonly string[]>> = {
  addresses: ['line1', 'line2', 'town', 'postcode'],
  announcements: ['title', 'text'],
  api_tokens: ['name'],
  blog_posts: ['title', 'excerpt', 'content', 'author', 'featuredImage', 'featuredImageAlt', 'shareImage'],
  call_days: ['note'],
  cancellations: ['subject', 'text'],
  coaching_applications: ['name', 'phone', 'businessName', 'biggestChallenge', 'goals', 'additionalInfo'],
  coaching_bookings: ['name', 'phone', 'businessName', 'trade', 'timeZone', 'notes', 'agreed'],
  commitments: ['text'],
  contacts: ['name', 'trade', 'message'],
  credit_notes: ['reason'],
  inbox_notes: ['text'],
  mail_outbox: ['to', 'subject', 'lastError'],
  mailings: ['subject', 'text'],
  manual_commissions: ['description'],
  media: ['name'],
  media_uploads: ['name'],
  member_invitations: ['firstName', 'lastName'],
  member_videos: ['title', 'description', 'category'],
  membership_applications: [
    ...['firstName', 'lastName', 'phone', 'businessName', 'trade', 'yearsInTrade', 'currentChallenges', 'goals'],
    ...['whyJoin', 'hearAboutUs'],
  ],
  membership_tiers: ['name', 'description', 'badge'],
  passkeys: ['name'],
  podcast_episodes: ['title', 'summary', 'notes'],
  published_questions: ['question', 'answer'],
  question_messages: ['text'],
  questions: ['videoTitle'],
  quotient_orders: [
    ...['firstName', 'lastName', 'phone', 'businessName', 'warrantyBoostPrice', 'cheapestCarePlanPrice'],
    ...['generalHourlyRate', 'generalInstallRate', 'generalDayRate', 'additionalRequirements'],
  ],
  renewal_notices: ['subject', 'text'],
  saved_replies: ['title', 'text'],
  sessions: ['device'],
  skipped_numbers: ['reason'],
  subscriptions: ['cancellationReason'],
  suppressed_addresses: ['reason'],
  users: ['firstName', 'lastName', 'phone', 'businessName', 'trade'],
  video_handouts: ['title'],
  video_texts: ['notes', 'transcript', 'captions'],
}

/** Writes `text` to each of them past all checks, as if an older version had let it in. */
export function writeTypedTexts({ ctx: { sqlite } }: World, text: string): void {
  // Documents and skipped numbers never change. These got the text from a billing address.
  const isTrigger = `type = 'trigger' and tbl_name in ('invoices', 'credit_notes', 'document_csv_rows', 'skipped_numbers')`
  const triggers = sqlite.prepare<[], string>(`select name from sqlite_master where ${isTrigger}`).pluck()
  for (const name of triggers.all()) sqlite.exec(`drop trigger "${name}"`)
  for (const [table, names] of Object.entries(typedColumns)) {
    // Tier names are unique.
    const set = names.map((name) => `"${name}" = $text || ' ' || rowid`).join(', ')
    sqlite.prepare(`update ${table} set ${set}`).run({ text })
  }
  sqlite.prepare(`update invoices set customer = json_set(customer, '$.name', $text, '$.address', $text)`).run({ text })
  sqlite.prepare(`update invoices set lines = json_set(lines, '$[0].description', $text)`).run({ text })
  sqlite.exec('delete from document_csv_rows; insert into document_csv_rows select * from documents_as_csv')
  sqlite.prepare(`update provider_invoices set lines = json_set(lines, '$[0].description', $text)`).run({ text })
}
