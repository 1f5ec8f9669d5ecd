import type { Command } from 'commander'
import type { Io } from './io.ts'

type Noun = {
  name: string
  description: string
  load(): Promise<(command: Command, io: Io) => void | Promise<void>>
}

/** By the heading they have in the help. `page` is what to read about them. */
export type CommandGroup = { heading: string; page: string; nouns: readonly Noun[] }

/** Names and descriptions, so that `--version` and `--help` load no command. */
export const commandGroups: readonly CommandGroup[] = [
  {
    heading: 'People',
    page: 'docs/terminal.md#members',
    nouns: [
      {
        name: 'members',
        description: 'List, add, invite, win back, refund and remove members, and set their access',
        load: async () => (await import('./commands/members/members.ts')).registerMembers,
      },
      {
        name: 'subscriptions',
        description: 'Upgrade members, sync them with Stripe, and link stray customers',
        load: async () => (await import('./commands/subscriptions.ts')).registerSubscriptions,
      },
      {
        name: 'commitments',
        description: 'List what members said they’d do, by the day it’s due',
        load: async () => (await import('./commands/commitments.ts')).registerCommitments,
      },
      {
        name: 'import',
        description: 'Move in from elsewhere: plan, apply, undo, and write to who moved',
        load: async () => (await import('./commands/import/import.ts')).registerImport,
      },
    ],
  },
  {
    heading: 'Inbox',
    page: 'docs/terminal.md#inbox',
    nouns: [
      {
        name: 'applications',
        description: 'List and show applications for membership and coaching',
        load: async () => (await import('./commands/applications.ts')).registerApplications,
      },
      {
        name: 'contacts',
        description: 'List messages from the contact form',
        load: async () => (await import('./commands/contacts.ts')).registerContacts,
      },
      {
        name: 'questions',
        description: 'List, show, answer and close what members ask',
        load: async () => (await import('./commands/questions.ts')).registerQuestions,
      },
      {
        name: 'bookings',
        description: 'List call bookings from every form',
        load: async () => (await import('./commands/bookings.ts')).registerBookings,
      },
      {
        name: 'orders',
        description: 'List Quotient orders, and recover one after a restore',
        load: async () => (await import('./commands/orders.ts')).registerOrders,
      },
      {
        name: 'calls',
        description: 'List, move and cancel calls in the coaches’ calendar',
        load: async () => (await import('./commands/calls.ts')).registerCalls,
      },
    ],
  },
  {
    heading: 'Money',
    page: 'docs/terminal.md#at-months-end',
    nouns: [
      {
        name: 'mrr',
        description: 'Show MRR, churn and the commission forecast',
        load: async () => (await import('./commands/mrr/mrr.ts')).registerMrr,
      },
      {
        name: 'earned',
        description: 'Show what’s left of what you took, by month, quarter or tax year',
        load: async () => (await import('./commands/earned.ts')).registerEarned,
      },
      {
        name: 'payments',
        description: 'List payments: paid, due and refunded',
        load: async () => (await import('./commands/payments.ts')).registerPayments,
      },
      {
        name: 'payouts',
        description: 'List Stripe payouts to your bank, and what’s in each',
        load: async () => (await import('./commands/payouts.ts')).registerPayouts,
      },
      {
        name: 'invoices',
        description: 'List, check, fix and export VAT invoices',
        load: async () => (await import('./commands/invoices/invoices.ts')).registerInvoices,
      },
      {
        name: 'vat',
        description: 'Show the boxes of a VAT return',
        load: async () => (await import('./commands/vat.ts')).registerVat,
      },
      {
        name: 'commission',
        description: 'Show and pay the sales partner’s commission',
        load: async () => (await import('./commands/commission/commission.ts')).registerCommission,
      },
      {
        name: 'export',
        description: 'Export the books for your accountant, Xero or QuickBooks, or all your data',
        load: async () => (await import('./commands/export.ts')).registerExport,
      },
      {
        name: 'tiers',
        description: 'Show and change tiers and their prices',
        load: async () => (await import('./commands/tiers/tiers.ts')).registerTiers,
      },
    ],
  },
  {
    heading: 'Site',
    page: 'docs/make-it-yours.md#in-the-terminal',
    nouns: [
      {
        name: 'content',
        description: 'Check, export and import the site’s content',
        load: async () => (await import('./commands/content/content.ts')).registerContent,
      },
      {
        name: 'media',
        description: 'List, add and remove media files',
        load: async () => (await import('./commands/media.ts')).registerMedia,
      },
      {
        name: 'settings',
        description: 'Show and set your business details and links',
        load: async () => (await import('./commands/settings.ts')).registerSettings,
      },
    ],
  },
  {
    heading: 'Email',
    page: 'docs/email.md#when-an-email-doesnt-arrive',
    nouns: [
      {
        name: 'mail',
        description: 'List, show, resend and test emails, and block addresses',
        load: async () => (await import('./commands/mail/mail.ts')).registerMail,
      },
      {
        name: 'mailings',
        description: 'List, pause, resume and stop campaigns',
        load: async () => (await import('./commands/mailings.ts')).registerMailings,
      },
    ],
  },
  {
    heading: 'Logins',
    page: 'docs/hosting.md#owners',
    nouns: [
      {
        name: 'owners',
        description: 'Invite and remove owners, set their passwords',
        load: async () => (await import('./commands/owners.ts')).registerOwners,
      },
      {
        name: 'sessions',
        description: 'List and end logins',
        load: async () => (await import('./commands/sessions.ts')).registerSessions,
      },
      {
        name: 'tokens',
        description: 'Create, list and revoke API tokens',
        load: async () => (await import('./commands/tokens.ts')).registerTokens,
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
    ],
  },
  {
    heading: 'Server',
    page: 'docs/terminal.md#when-somethings-wrong',
    nouns: [
      {
        name: 'setup',
        description: 'Ask for what a live site needs, test each answer, and write .env',
        load: async () => (await import('./commands/setup/setup.ts')).registerSetup,
      },
      {
        name: 'doctor',
        description: 'Check settings, database, email, Stripe and data folder on this machine',
        load: async () => (await import('./commands/doctor.ts')).registerDoctor,
      },
      {
        name: 'jobs',
        description: 'List and run background jobs',
        load: async () => (await import('./commands/jobs.ts')).registerJobs,
      },
      {
        name: 'events',
        description: 'List webhooks from Stripe, find missed ones, and replay one',
        load: async () => (await import('./commands/events.ts')).registerEvents,
      },
      {
        name: 'report',
        description: 'Report what happened, for cron: prints nothing if nothing did',
        load: async () => (await import('./commands/report.ts')).registerReport,
      },
      {
        name: 'backup',
        description: 'Back up, verify and restore this machine’s data',
        load: async () => (await import('./commands/backup/backup.ts')).registerBackup,
      },
      {
        name: 'copies',
        description: 'Write the settings of Litestream, which copies the database all along',
        load: async () => (await import('./commands/copies.ts')).registerCopies,
      },
      {
        name: 'restore',
        description: 'Put the database back as it was at a time, from Litestream’s copies',
        load: async () => (await import('./commands/restore.ts')).registerRestore,
      },
      {
        name: 'takeover',
        description: 'Run the site on this machine instead, from the last copy of the old one',
        load: async () => (await import('./commands/restore.ts')).registerTakeover,
      },
      {
        name: 'migrate',
        description: 'Migrate this machine’s database, with the server stopped',
        load: async () => (await import('./commands/migrate.ts')).registerMigrate,
      },
      {
        name: 'update',
        description: 'Update this server to a signed release, and go back if it doesn’t start',
        load: async () => (await import('./commands/update.ts')).registerUpdate,
      },
      {
        name: 'rollback',
        description: 'Go back to the release that ran before',
        load: async () => (await import('./commands/update.ts')).registerRollback,
      },
      {
        name: 'sandbox',
        description: 'Control the payment sandbox',
        load: async () => (await import('./commands/sandbox.ts')).registerSandbox,
      },
    ],
  },
  {
    heading: 'Terminal',
    page: 'docs/terminal.md#good-to-know',
    nouns: [
      {
        name: 'desk',
        description: 'Open the dashboard: figures, what needs doing, members (alliance on its own does too)',
        load: async () => (await import('./commands/desk.ts')).registerDesk,
      },
      {
        name: 'api',
        description: 'Make any call of the API and print what it answers, as gh api does',
        load: async () => (await import('./commands/api.ts')).registerApi,
      },
      {
        name: 'apply',
        description: 'Apply a plan saved by --dry-run --json, if nothing has changed since',
        load: async () => (await import('./commands/apply.ts')).registerApply,
      },
      {
        name: 'completion',
        description: 'Print the completion script for bash, zsh or fish',
        load: async () => (await import('./commands/completion.ts')).registerCompletion,
      },
    ],
  },
]

export const commands = commandGroups.flatMap(({ nouns }) => nouns)
