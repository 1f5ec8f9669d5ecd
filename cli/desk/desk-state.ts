import type { AdminMember } from '#shared/contract/members.ts'
import type { QueueItem } from './desk-data.ts'

/** What a command said, run as a script would run it. */
export type Ran = { code: number; out: string; err: string }

/** A page over the lists: a member or an entry, a plan that waits for a yes, or what a command said. */
export type Shown =
  | { kind: 'member'; id: string; text: string }
  | { kind: 'text'; title: string; text: string }
  | { kind: 'plan'; text: string; plan: string; question: string; back: Shown }

export type Chosen = QueueItem | AdminMember | undefined
