import type { MemberNotices } from '#shared/contract/member-record.ts'
import type { NoticeKind } from '#shared/contract/notices.ts'
import { plural } from './plural.ts'

const kindWords: Record<NoticeKind, string> = {
  answer: 'answers',
  call: 'calls',
  payment: 'failed payments',
  video: 'new videos',
  commitment: 'what they said they’d do',
}

/** What a member hears of on their phones, for owners. */
export function noticesText({ kinds, phones }: MemberNotices): string {
  if (kinds.length === 0) return 'Hasn’t switched any on'
  const on = kinds.map((kind) => kindWords[kind]).join(', ')
  return `For ${on}, on ${plural(phones, 'phone')}`
}
