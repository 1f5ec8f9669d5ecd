import type { Command } from 'commander'
import type { Io } from './io.ts'
import { moneyCommands } from './money-commands.ts'

type Load = () => Promise<(command: Command, io: Io) => void | Promise<void>>

/** Names and descriptions by the heading they have in the help, so that `--version` and `--help` load no command. */
export const commandGroups: Readonly<Record<string, readonly { name: string; description: string; load: Load }[]>> = {
  'Every day': [
    {
      name: 'desk',
      description: 'Open the dashboard: figures, what needs doing, members (alliance on its own does too)',
      load: async () => (await import('./commands/desk.ts')).registerDesk,
    },
    {
      name: 'report',
      description: 'Report what happened, for cron: prints nothing if nothing did',
      load: async () => (await import('./commands/report.ts')).registerReport,
    },
  ],
  Members: [
    {
      name: 'members',
      description: 'List, add, invite, show, refund and remove members, and set their access',
      load: async () => (await import('./commands/members/members.ts')).registerMembers,
    },
    {
      name: 'subscriptions',
      description: 'Upgrade members, sync them all with Stripe, and link stray customers',
      load: async () => (await import('./commands/subscriptions.ts')).registerSubscriptions,
    },
    {
      name: 'sync',
      description: 'Sync one member with Stripe',
      load: async () => (await import('./commands/subscriptions.ts')).registerSync,
    },
    {
      name: 'reactivation',
      description: 'Create links that bring former members back',
      load: async () => (await import('./commands/reactivation.ts')).registerReactivation,
    },
    {
      name: 'import',
      description: 'Move in from elsewhere: plan, apply, undo, and write to who moved',
      load: async () => (await import('./commands/import/import.ts')).registerImport,
    },
    {
      name: 'announcements',
      description: 'Post notes on the members’ dashboard, change and end them',
      load: async () => (await import('./commands/announcements.ts')).registerAnnouncements,
    },
  ],
  Inbox: [
    {
      name: 'applications',
      description: 'List and answer applications for membership and coaching',
      load: async () => (await import('./commands/applications.ts')).registerApplications,
    },
    {
      name: 'contacts',
      description: 'List and answer messages from the contact form',
      load: async () => (await import('./commands/contacts.ts')).registerContacts,
    },
    {
      name: 'bookings',
      description: 'List call bookings from every form, set their status and reply',
      load: async () => (await import('./commands/bookings.ts')).registerBookings,
    },
    {
      name: 'orders',
      description: 'List Quotient orders and email the buyers',
      load: async () => (await import('./commands/orders.ts')).registerOrders,
    },
    {
      name: 'quotient',
      description: 'The old name for "orders list": prints the same orders',
      load: async () => (await import('./commands/quotient.ts')).registerQuotient,
    },
  ],
  Calendar: [
    {
      name: 'calls',
      description: 'List, move and cancel calls in the coaches’ calendar',
      load: async () => (await import('./commands/calendar/calendar.ts')).registerCalls,
    },
    {
      name: 'calendar',
      description: 'Set when coaches can be booked: hours, holidays, rules and calendar feeds',
      load: async () => (await import('./commands/calendar/calendar.ts')).registerCalendar,
    },
  ],
  Money: moneyCommands,
  Site: [
    {
      name: 'content',
      description: 'Edit, check, export and import the site’s content',
      load: async () => (await import('./commands/content/content.ts')).registerContent,
    },
    {
      name: 'videos',
      description: 'List, add, edit, publish, hide and remove videos',
      load: async () => (await import('./commands/videos.ts')).registerVideos,
    },
    {
      name: 'posts',
      description: 'List, show, add, edit, publish, hide and remove blog posts',
      load: async () => (await import('./commands/posts/posts.ts')).registerPosts,
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
  Email: [
    {
      name: 'mail',
      description: 'List, show, resend and test emails, and block addresses',
      load: async () => (await import('./commands/mail/mail.ts')).registerMail,
    },
    {
      name: 'mailings',
      description: 'List, preview, send, pause and stop campaigns',
      load: async () => (await import('./commands/mailings.ts')).registerMailings,
    },
  ],
  Logins: [
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
  Server: [
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
      name: 'backup',
      description: 'Back up, verify and restore this machine’s data',
      load: async () => (await import('./commands/backup/backup.ts')).registerBackup,
    },
    {
      name: 'restore',
      description: 'Put the database back as it was at a time, from Litestream’s copies',
      load: async () => (await import('./commands/copies.ts')).registerRestore,
    },
    {
      name: 'takeover',
      description: 'Run the site on this machine instead, from the last copy of the old one',
      load: async () => (await import('./commands/copies.ts')).registerTakeover,
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
  Terminal: [
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
}

export const commands = Object.values(commandGroups).flat()
