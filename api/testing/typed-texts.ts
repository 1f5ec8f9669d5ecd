import type { World } from './world.ts'

/**
 * Every column that holds what a visitor, a member or an owner typed, in their own words. The words of pages and mails, which
 * stand in `content_overrides` by entry, are tried by `content-injection.test.ts`.
 */
export const typedColumns: Readonly<Record<string, readonly string[]>> = {
  addresses: ['line1', 'line2', 'town', 'postcode'],
  announcements: ['title', 'text'],
  api_tokens: ['name'],
  blog_posts: ['title', 'excerpt', 'content', 'author', 'featuredImage', 'shareImage'],
  call_days: ['note'],
  cancellations: ['subject', 'text'],
  coaching_applications: ['name', 'phone', 'businessName', 'biggestChallenge', 'goals', 'additionalInfo'],
  coaching_bookings: ['name', 'phone', 'businessName', 'trade', 'timeZone', 'notes', 'agreed'],
  contacts: ['name', 'trade', 'message'],
  credit_notes: ['reason'],
  inbox_notes: ['text'],
  mail_outbox: ['to', 'subject', 'lastError'],
  mailings: ['subject', 'text'],
  manual_commissions: ['description'],
  media: ['name'],
  media_uploads: ['name'],
  member_videos: ['title', 'description', 'category'],
  membership_applications: [
    ...['firstName', 'lastName', 'phone', 'businessName', 'trade', 'yearsInTrade', 'currentChallenges', 'goals'],
    ...['whyJoin', 'hearAboutUs'],
  ],
  membership_tiers: ['name', 'description'],
  passkeys: ['name'],
  podcast_episodes: ['title', 'summary', 'notes'],
  quotient_orders: [
    ...['firstName', 'lastName', 'phone', 'businessName', 'warrantyBoostPrice', 'cheapestCarePlanPrice'],
    ...['generalHourlyRate', 'generalInstallRate', 'generalDayRate', 'additionalRequirements'],
  ],
  sessions: ['device'],
  skipped_numbers: ['reason'],
  subscriptions: ['cancellationReason'],
  suppressed_addresses: ['reason'],
  users: ['firstName', 'lastName', 'phone', 'businessName', 'trade'],
  video_handouts: ['title'],
  video_texts: ['notes', 'transcript', 'captions'],
}

/** `text` in each of them, past every check: so it stands there where an older version let it in. */
export function writeTypedTexts({ ctx: { sqlite } }: World, text: string): void {
  // Documents are never changed, nor numbers that were left out; these came like this from a billing address.
  const isTrigger = `type = 'trigger' and tbl_name in ('invoices', 'credit_notes', 'document_csv_rows', 'skipped_numbers')`
  const triggers = sqlite.prepare<[], string>(`select name from sqlite_master where ${isTrigger}`).pluck()
  for (const name of triggers.all()) sqlite.exec(`drop trigger "${name}"`)
  for (const [table, names] of Object.entries(typedColumns)) {
    // No two tiers have one name.
    const set = names.map((name) => `"${name}" = $text || ' ' || rowid`).join(', ')
    sqlite.prepare(`update ${table} set ${set}`).run({ text })
  }
  sqlite.prepare(`update invoices set customer = json_set(customer, '$.name', $text, '$.address', $text)`).run({ text })
  sqlite.prepare(`update invoices set lines = json_set(lines, '$[0].description', $text)`).run({ text })
  sqlite.exec('delete from document_csv_rows; insert into document_csv_rows select * from documents_as_csv')
  sqlite.prepare(`update provider_invoices set lines = json_set(lines, '$[0].description', $text)`).run({ text })
}
