/**
 * What only owners may do, by the noun in the path below /api/admin: the method and the rest of the path, with why it asks for
 * the password again or doesn't. Anything an unlocked browser could give away, or that can't be undone, asks.
 */
type Reason = `asks: ${string}` | `asks when ${string}` | `not: ${string}`

const reads = 'not: it shows what every owner may see, and changes nothing'
const theirMembership = 'not: it is on the member’s page and in the log, and an owner can change it back'
const ourNotes = 'not: the owners’ own record of what was said and done; the log has who changed it'
const oneApplication = 'not: one application, which its sender can send again'
const diary = 'not: the diary; whoever has a call is told, and it can be moved again'
const commission = 'not: a record of what is owed to the partner; it pays no one, and the log has what it was'
const documents = 'not: our own papers; what they replace stays with its number, and no money moves'
const words = 'not: words, pictures and videos; the version before is kept, or they can be put back'
const removesOwn = 'not: it takes down what the owners put up themselves; it says so first'
const toMembers = 'not: plain words of ours to members; it carries no one’s data, and it can be stopped'
const toMany = 'asks when more than one person gets it: a mail can’t be called back'
const mailList = 'not: it decides only whether our mail goes to an address'
const tries = 'not: it tries something out and keeps nothing'
const runs = 'not: it does again what the site does by itself'
const setting = 'asks when it is where people are sent, what their browsers load, or who gets our mail'
const factor = 'asks: a second factor set or lost decides who gets into an owner’s account'

const owners: Record<string, Record<string, Reason>> = {
  // Moving in from elsewhere
  imports: {
    'GET, GET :id, GET :id/rows, GET :id/letters': reads,
    'POST, POST :id/plan': tries,
    'POST :id/apply': 'not: what it makes is in the log, and can be undone until someone uses it',
    'POST :id/cancel, POST :id/undo': removesOwn,
    'POST :id/letters': toMany,
  },
  // Members and what they pay by
  members: {
    'GET, GET counts, GET :memberId/record, GET :memberId/refund, GET :memberId/activity': reads,
    'GET :memberId/next-payment': reads,
    POST: 'not: an account with no money and no access; nothing is mailed',
    'DELETE :memberId': 'asks: it can’t be undone; a trial changes nothing and asks nothing',
    'PUT :memberId/profile': 'asks when the email changes: whoever has the mailbox has the account',
    'POST :memberId/email-report, POST :memberId/stripe-address': 'asks: it decides which mailbox has the account',
    'PUT :memberId/address': 'not: the address on their invoices; no one gets in by it',
    'PUT :memberId/free-access, DELETE :memberId/free-access': theirMembership,
    'PATCH :memberId/revoke-access': 'asks when it takes access from someone who pays',
    'PUT :memberId/free-month': 'not: one month at most, and taken back until the bill',
    'POST :memberId/archive': 'asks: all that is held about a person leaves in one file',
    'POST :memberId/sync': runs,
    'POST :memberId/refund': 'asks: money leaves',
    'POST :memberId/card-link': 'not: the link is mailed to the member, who has to log in',
    'POST :memberId/upgrade/preview': tries,
    'POST :memberId/upgrade': 'asks: it charges their saved card',
    'POST :memberId/subscription/tier, DELETE :memberId/subscription/tier': theirMembership,
    'POST :memberId/subscription/cancel, POST :memberId/subscription/resume': theirMembership,
    'POST :memberId/subscription/end': 'asks: it takes access from someone with a membership straight away',
    'DELETE :memberId/photos/:id': 'not: the member can put it up again',
  },
  'member, member-progress': { 'GET :memberId': reads },
  'members-at-risk, inactive-members': { GET: reads },
  photos: { 'GET :id': reads },
  impersonate: { 'POST :memberId': 'not: it shows and changes nothing, for half an hour, and the log says why' },
  'stop-impersonating': { POST: 'not: it gives a right back' },
  'reactivation-links': { POST: 'asks: the link starts a membership on the owners’ terms, for whoever is sent it' },
  'subscription-links': { GET: reads, POST: 'not: it joins what is paid already to its own member' },
  // Who wrote, applied, booked or ordered
  inbox: {
    'GET :kind/:id/notes, GET :kind/:id/invitation': reads,
    'POST :kind/:id/notes, PATCH :kind/:id/notes/:noteId': ourNotes,
    'POST :kind/:id/reply': toMany,
    'POST :kind/:id/invitation':
      'not: it goes to the one who wrote, gives no access, and is paid for at the price shown',
  },
  invitations: {
    GET: reads,
    'POST preview': tries,
    'POST, POST :id/resend': 'not: it gives no access, and a card is asked for before any free month begins',
    'DELETE :id': 'not: it gives a right back',
  },
  'membership-applications': { GET: reads, 'PATCH :id/status': ourNotes, 'DELETE :id': oneApplication },
  'coaching-applications': { GET: reads, 'PATCH :id/status': ourNotes },
  'coaching-bookings': { 'GET, GET upcoming': reads, 'PATCH :id/status': ourNotes },
  contacts: { GET: reads },
  'quotient-orders': { GET: reads, 'PATCH :id': ourNotes },
  'lost-orders': { GET: reads, POST: 'not: it takes in an order that is paid already' },
  calendar: {
    'GET, GET calls, GET calls/:id/agreed, GET feeds, GET mornings, GET monthly': reads,
    'PUT hours, PUT rules, POST days, DELETE days/:id, POST allowances, PUT weeks, PUT mornings': diary,
    'POST calls/:id/move, POST calls/:id/cancel, PUT calls/:id/agreed, POST monthly/:memberId/ask': diary,
    'POST feeds, POST feeds/:id/renew':
      'not: the feed has times, kinds and first names alone, and ends when it is renewed',
    'DELETE feeds/:id': 'not: it gives a right back',
  },
  // Money
  payments: { GET: reads, 'POST :charge/lost': 'asks: it takes what was lost off what we declare' },
  payouts: { 'GET, GET :id': reads },
  earned: { GET: reads },
  'mrr, mrr-diff': { GET: reads },
  'revenue-months': { 'GET, GET clock': reads, 'POST reopen': 'asks: a month that is closed has been declared' },
  'revenue-movements': { 'GET :month': reads },
  'invoices, invoice-lint, member-payments, commission-history': { GET: reads },
  invoice: { 'GET :ref, GET :ref/pdf': reads, 'POST :ref/credit': documents },
  credits: { GET: reads, 'POST :id/answer': documents },
  'fix-member-invoices, delete-member-invoices': { POST: documents },
  'document-numbers': { GET: reads, 'POST skip': documents },
  vat: { 'GET :quarter': reads },
  exports: {
    'GET invoices.csv, GET accounts.csv, GET accountant.zip':
      'asks when there’s neither a ticket nor a token made for files: everyone’s names and addresses in one go',
    'POST files, POST lists': 'asks: it takes everyone’s names and addresses away in one go',
    'POST all, GET all.zip': 'asks: it takes everyone’s details away in one go',
  },
  'manual-commissions': { GET: reads, 'POST, PATCH :id, DELETE :id': commission },
  'commission-rates': { GET: reads, POST: commission },
  'commission-status': { 'PATCH :userId': commission },
  'commission-statements': { 'GET :month': reads, 'POST :month/mail': 'not: it goes to the partner’s address alone' },
  'commission-payments': { 'DELETE :id': commission },
  // What the site shows
  tiers: {
    'GET, GET :tier/price': reads,
    'PATCH :tier': words,
    'POST :tier/price, DELETE :tier/price': 'asks: it moves what every member pays',
  },
  videos: {
    'GET, GET hosted, GET categories, GET :id, GET :id/viewers, GET :id/versions': reads,
    'POST, PUT order, PUT categories, PATCH :id': words,
    'PUT :id/versions/:form, POST :id/versions/:form/make': words,
    'DELETE :id, DELETE :id/versions/:form': removesOwn,
  },
  media: {
    'GET, GET room, GET uploads, GET uploads/:id': reads,
    'POST, POST uploads, PATCH uploads/:id, POST uploads/:id/finish': words,
    'DELETE :id, DELETE uploads/:id': removesOwn,
  },
  content: {
    'GET, GET :page, GET :page/history, GET :page/draft': reads,
    'PUT :page, POST :page/reset, PUT :page/draft, DELETE :page/draft, POST :page/publish': words,
    'POST :page/tell': toMany,
  },
  'content-drafts, content-texts, unfinished': { GET: reads },
  'mail-words': { 'GET, GET :kind': reads, 'POST :kind/test': tries },
  blog: {
    'GET, GET :id, GET :id/versions, GET :id/versions/:number': reads,
    'POST preview': tries,
    'POST, PATCH :id, POST :id/versions/:number/restore, POST :id/addresses': words,
    'DELETE :id': removesOwn,
  },
  podcast: { 'GET, GET :id': reads, 'POST, PATCH :id': words, 'DELETE :id': removesOwn },
  settings: { GET: reads, 'PUT :name': setting },
  'setting-groups': { 'PUT :group': setting },
  setup: { GET: reads, 'POST :name/check': tries },
  'site-copy': { GET: reads },
  // What members are told
  announcements: { GET: reads, 'POST, PATCH :id, POST :id/end': toMembers, 'DELETE :id': removesOwn },
  mailings: {
    'GET, GET :id, GET :id/preview, GET :id/people': reads,
    'POST, PATCH :id, POST :id/pause, POST :id/stop, POST :id/unschedule': toMembers,
    'POST :id/schedule': 'asks: how many it reaches isn’t known until it goes',
    'POST :id/send, POST :id/resume': toMany,
    'DELETE :id': removesOwn,
    'POST :id/test': 'not: it goes to the owner who asks',
  },
  'mailing-audience': { 'GET, GET count': reads },
  'follow-ups': { GET: reads },
  mail: { 'GET, GET :mailId': reads, 'POST :mailId/resend': 'not: the same mail to the same address' },
  'mail-resend': { GET: reads, POST: 'asks: many people get it, and a mail can’t be called back' },
  'mail-stop': { GET: reads },
  'mail-test': { POST: 'not: it says nothing but that mail arrives' },
  bounces: { POST: mailList },
  'suppressed-addresses': { GET: reads, 'POST, DELETE :email': mailList },
  // How it goes
  'today, dashboard, audit, event-gaps': { GET: reads },
  analytics: { 'GET counts': reads },
  watching: { 'GET, GET retention, GET lessons': reads },
  reports: { 'POST :kind, POST :kind/done': 'not: it tells the other owners what the terminal did' },
  jobs: { GET: reads, 'POST :name/run': runs },
  events: { GET: reads, 'POST :id/replay': runs },
  sandbox: { 'GET chaos': reads, 'POST advance, POST chaos': 'not: play money' },
  // Owners’ own logins
  owners: {
    GET: reads,
    'POST link, POST invitations': 'asks: whoever opens it is an owner',
    'DELETE invitations/:id': 'not: it gives a right back',
    'DELETE :id': 'asks: it shuts an owner out',
    'POST second-factor-reset': 'not: no browser and no token can do it, only the machine’s own terminal',
  },
  'second-factor': { 'POST, POST confirm, DELETE, POST recovery-codes': factor },
  sessions: { GET: reads, 'POST revoke': 'asks when another owner’s logins end' },
  tokens: { POST: 'asks: whoever has the token has what it may do, without a login' },
}

export const whyAsked: ReadonlyMap<string, Reason> = new Map(
  Object.entries(owners).flatMap(([nouns, routes]) =>
    nouns.split(', ').flatMap((noun) =>
      Object.entries(routes).flatMap(([names, reason]) =>
        names.split(', ').map((name): [string, Reason] => {
          const [method, rest] = name.split(' ')
          return [[`${method} /api/admin/${noun}`, ...(rest === undefined ? [] : [rest])].join('/'), reason]
        }),
      ),
    ),
  ),
)

export const ownerRoutes: readonly string[] = [...whyAsked.keys()]
