import { type RowGroup, registerGroups } from '#cli/rows.ts'

export const memberGroups: readonly RowGroup[] = [
  { names: ['list', 'show'], load: async () => (await import('./list.ts')).memberListRows },
  {
    names: ['add', 'open', 'export', 'address', 'remove-photo'],
    load: async () => (await import('./account.ts')).memberAccountRows,
  },
  { names: ['invite', 'invitations', 'uninvite'], load: async () => (await import('./invitations.ts')).invitationRows },
  { names: ['revoke', 'restore', 'free', 'tier'], load: async () => (await import('./access.ts')).memberAccessRows },
  { names: ['refund', 'remove'], load: async () => (await import('./money.ts')).memberMoneyRows },
]

export const registerMembers = registerGroups(memberGroups)
