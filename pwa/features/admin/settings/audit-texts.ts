import type { AuditActor, AuditEntry } from '#shared/contract/audit.ts'

/** What an action begins with, before the dot, and what owners call that. */
export const auditGroups = [
  ['', 'Everything'],
  ['auth', 'Logins and passwords'],
  ['session', 'Sign-outs'],
  ['token', 'Tokens'],
  ['impersonation', 'Viewing as a member'],
  ['member', 'Members'],
  ['subscription', 'Subscriptions'],
  ['card', 'Cards'],
  ['invoice', 'Payments'],
  ['invoices', 'Invoices'],
  ['commission', 'Commission'],
  ['upsell', 'Up-sells'],
  ['tier', 'Tiers'],
  ['price_move', 'Price changes'],
  ['video', 'Videos'],
  ['post', 'Blog'],
  ['mail', 'Mail'],
  ['job', 'Jobs'],
  ['owner', 'Owners'],
] as const

/** `member.revoke_access` reads "Members: revoke access". */
export function actionText({ action }: AuditEntry): string {
  const [group = '', what = ''] = action.split('.')
  const label = auditGroups.find(([name]) => name === group)?.[1] ?? group.replaceAll('_', ' ')
  return `${label}: ${what.replaceAll('_', ' ')}`
}

const kinds: Record<AuditActor['kind'], string> = {
  owner: 'Owner',
  member: 'Member',
  program: 'Terminal of the machine',
  system: 'The site itself',
  visitor: 'Somebody not logged in',
}

export const actorText = ({ actor: { kind, name } }: AuditEntry) => {
  if (name !== null) return name
  return kind === 'member' ? 'Removed account' : kinds[kind]
}

export const actorKind = ({ actor: { kind, name } }: AuditEntry) => (name === null ? '' : kinds[kind])

/** Hashes, of which a few characters tell one network or typed address from another. */
const hashed: Record<string, string> = { address: 'network', account: 'typed address' }

function partText([name, value]: [string, unknown]): string {
  const shown = hashed[name]
  if (shown !== undefined) return `${shown} ${String(value).slice(0, 6)}`
  return `${name}: ${typeof value === 'object' ? JSON.stringify(value) : String(value)}`
}

export const detailText = ({ detail }: AuditEntry) => Object.entries(detail).map(partText).join('; ')
