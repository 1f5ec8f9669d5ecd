import type { Command } from 'commander'
import type { Io } from './io.ts'

type Register = (command: Command, io: Io) => void | Promise<void>
type Registration = { name: string; description: string; load: () => Promise<Register> }

/** Only names and descriptions, so that `--version` and `--help` load no command. */
export const commands: readonly Registration[] = [
  {
    name: 'desk',
    description: 'Open the desk: figures, what is to do, and the members; so does alliance alone',
    load: async () => (await import('./commands/desk.ts')).registerDesk,
  },
  {
    name: 'members',
    description: 'List, add, invite, show, refund and remove members, and set their access',
    load: async () => (await import('./commands/members/members.ts')).registerMembers,
  },
  {
    name: 'subscriptions',
    description: 'Start a dearer tier today; read members again from the provider',
    load: async () => (await import('./commands/subscriptions.ts')).registerSubscriptions,
  },
  {
    name: 'mrr',
    description: 'Show monthly recurring revenue and the commission forecast',
    load: async () => (await import('./commands/mrr/mrr.ts')).registerMrr,
  },
  {
    name: 'churn',
    description: 'Show how many members and how much revenue was lost, month by month',
    load: async () => (await import('./commands/churn.ts')).registerChurn,
  },
  {
    name: 'events',
    description: 'List what the payment provider sent, what never arrived, and read one again',
    load: async () => (await import('./commands/events.ts')).registerEvents,
  },
  {
    name: 'tokens',
    description: 'Make, list and revoke tokens for programs',
    load: async () => (await import('./commands/tokens.ts')).registerTokens,
  },
  {
    name: 'report',
    description: 'Report what happened, for cron: silent when nothing did',
    load: async () => (await import('./commands/report.ts')).registerReport,
  },
  {
    name: 'payments',
    description: 'List what was paid, what is due and what went back',
    load: async () => (await import('./commands/payments.ts')).registerPayments,
  },
  {
    name: 'payouts',
    description: 'List what the payment provider sent to your bank, and what is in it',
    load: async () => (await import('./commands/payouts.ts')).registerPayouts,
  },
  {
    name: 'invoices',
    description: 'List, check, repair and export VAT invoices',
    load: async () => (await import('./commands/invoices/invoices.ts')).registerInvoices,
  },
  {
    name: 'vat',
    description: 'Show the figures of a VAT return',
    load: async () => (await import('./commands/vat.ts')).registerVat,
  },
  {
    name: 'export',
    description: 'Export the books for Xero and QuickBooks, or the whole business',
    load: async () => (await import('./commands/export.ts')).registerExport,
  },
  {
    name: 'commission',
    description: "Manage the sales partner's commission",
    load: async () => (await import('./commands/commission/commission.ts')).registerCommission,
  },
  {
    name: 'calendar',
    description: 'Set the coaches’ hours; list, move and cancel calls',
    load: async () => (await import('./commands/calendar/calendar.ts')).registerCalendar,
  },
  {
    name: 'calls',
    description: 'List, move and cancel the calls of the coaches’ calendar',
    load: async () => (await import('./commands/calendar/calendar.ts')).registerCalls,
  },
  {
    name: 'bookings',
    description: 'List what was booked, by every form; set its status; write to the person',
    load: async () => (await import('./commands/bookings.ts')).registerBookings,
  },
  {
    name: 'applications',
    description: 'List and answer the applications for membership and coaching',
    load: async () => (await import('./commands/applications.ts')).registerApplications,
  },
  {
    name: 'contacts',
    description: 'List and answer the messages of the contact form',
    load: async () => (await import('./commands/contacts.ts')).registerContacts,
  },
  {
    name: 'orders',
    description: 'List the orders of the Quotient set-up, and write to the buyers',
    load: async () => (await import('./commands/orders.ts')).registerOrders,
  },
  {
    name: 'videos',
    description: 'List, add, change, publish, hide and remove videos',
    load: async () => (await import('./commands/videos.ts')).registerVideos,
  },
  {
    name: 'announcements',
    description: 'List, write, change, end and remove what stands on the members’ dashboard',
    load: async () => (await import('./commands/announcements.ts')).registerAnnouncements,
  },
  {
    name: 'posts',
    description: 'List, show, add, change, publish, hide and remove posts of the blog',
    load: async () => (await import('./commands/posts/posts.ts')).registerPosts,
  },
  {
    name: 'mail',
    description: 'List, show, resend and test emails, and stop them to an address',
    load: async () => (await import('./commands/mail/mail.ts')).registerMail,
  },
  {
    name: 'mailings',
    description: 'List, show, try out, send, hold and stop mailings to members',
    load: async () => (await import('./commands/mailings.ts')).registerMailings,
  },
  {
    name: 'owners',
    description: 'Manage the accounts of the owners',
    load: async () => (await import('./commands/owners.ts')).registerOwners,
  },
  {
    name: 'sessions',
    description: 'List and end open logins',
    load: async () => (await import('./commands/sessions.ts')).registerSessions,
  },
  {
    name: 'reactivation',
    description: 'Invite former members back',
    load: async () => (await import('./commands/reactivation.ts')).registerReactivation,
  },
  {
    name: 'quotient',
    description: 'List orders of the Quotient set-up',
    load: async () => (await import('./commands/quotient.ts')).registerQuotient,
  },
  {
    name: 'content',
    description: "Edit, check and carry over the texts of the site's pages",
    load: async () => (await import('./commands/content/content.ts')).registerContent,
  },
  {
    name: 'media',
    description: 'Store the pictures that pages show',
    load: async () => (await import('./commands/media.ts')).registerMedia,
  },
  {
    name: 'settings',
    description: 'Show and set the firm’s details and the addresses that pages link to',
    load: async () => (await import('./commands/settings.ts')).registerSettings,
  },
  {
    name: 'tiers',
    description: 'Show and change the tiers and their prices',
    load: async () => (await import('./commands/tiers/tiers.ts')).registerTiers,
  },
  {
    name: 'jobs',
    description: 'List and run background jobs',
    load: async () => (await import('./commands/jobs.ts')).registerJobs,
  },
  {
    name: 'sync',
    description: 'Read one member again from the payment provider',
    load: async () => (await import('./commands/subscriptions.ts')).registerSync,
  },
  {
    name: 'backup',
    description: 'Back up, check and restore the data of this machine',
    load: async () => (await import('./commands/backup/backup.ts')).registerBackup,
  },
  {
    name: 'setup',
    description: 'Ask what a real site needs, try each answer, and write .env on this machine',
    load: async () => (await import('./commands/setup/setup.ts')).registerSetup,
  },
  {
    name: 'doctor',
    description: 'Check the settings, database and data folder on this machine',
    load: async () => (await import('./commands/doctor.ts')).registerDoctor,
  },
  {
    name: 'migrate',
    description: "Bring this machine's database to this version, with the server stopped",
    load: async () => (await import('./commands/migrate.ts')).registerMigrate,
  },
  {
    name: 'sandbox',
    description: 'Control the payment sandbox',
    load: async () => (await import('./commands/sandbox.ts')).registerSandbox,
  },
  {
    name: 'apply',
    description: 'Do exactly what a saved plan says, unless something has changed since',
    load: async () => (await import('./commands/apply.ts')).registerApply,
  },
  {
    name: 'completion',
    description: 'Print what completes commands in bash, zsh or fish',
    load: async () => (await import('./commands/completion.ts')).registerCompletion,
  },
  {
    name: 'login',
    description: 'Log in to a server',
    load: async () => (await import('./commands/login.ts')).registerLogin,
  },
  {
    name: 'logout',
    description: 'Log out of a server',
    load: async () => (await import('./commands/login.ts')).registerLogout,
  },
]
