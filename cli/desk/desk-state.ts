import type { AdminMember } from '#shared/contract/members.ts'
import type { QueueItem } from './desk-data.ts'

export type Ran = { code: number; out: string; err: string }

/** A page over the lists: a member or an entry, a plan waiting for a yes, or a command's output. */
export type Shown =
  | { kind: 'member'; id: string; text: string }
  | { kind: 'text'; title: string; text: string }
  | { kind: 'plan'; text: string; plan: string; question: string; back: Shown }

export type Chosen = QueueItem | AdminMember | undefined
