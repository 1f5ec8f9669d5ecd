import { registersRows } from '#cli/rows.ts'
import { memberAccessRows } from './access.ts'
import { memberAccountRows } from './account.ts'
import { invitationRows } from './invitations.ts'
import { memberListRows } from './list.ts'
import { memberMoneyRows } from './money.ts'
import { reactivationRows } from './reactivation.ts'

export const memberRows = [
  ...memberListRows,
  ...memberAccountRows,
  ...invitationRows,
  ...memberAccessRows,
  ...memberMoneyRows,
  ...reactivationRows,
]

export const registerMembers = registersRows(memberRows)
