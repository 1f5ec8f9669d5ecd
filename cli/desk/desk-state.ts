import type { AdminMember } from '#shared/contract/members.ts'
import type { QueueItem } from './desk-data.ts'

export type Ran = { code: number; out: string; err: string }

export type Shown =
  | { kind: 'member'; id: string; text: string }
  | { kind: 'text'; title: string; text: string }
  | { kind: 'plan'; text: string; plan: string; question: string; back: Shown }

export type Chosen = QueueItem | AdminMember | undefined
