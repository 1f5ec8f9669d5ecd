/** In the order in which they are shown. */
export const healthParts = [
  { part: 'database', name: 'Database' },
  { part: 'payments', name: 'Payments' },
  { part: 'email', name: 'E-mail' },
  { part: 'jobs', name: 'Background jobs' },
  { part: 'backup', name: 'Backup' },
] as const
