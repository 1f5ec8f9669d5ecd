import type { Context } from '#api/context.ts'
import { upsert } from '#api/db/insert.ts'
import { transact } from '#api/db/open.ts'
import { noticeChoices } from '#api/db/schema/notices.ts'
import { AppError } from '#api/errors.ts'
import { choosePurpose, isMailWanted } from '#api/mail/choices.ts'
import type { MailPurpose } from '#shared/contract/mail.ts'
import type { MemberNotices } from '#shared/contract/member-record.ts'
import type { NoticeChoice, NoticeChoiceChange, NoticeKind } from '#shared/contract/notices.ts'
import { noticeKinds } from '#shared/values/question-values.ts'
import { choicesOf, phonesOf } from './queries.ts'

/** The kinds whose email waits for the push, and goes only if that isn't confirmed. All the others go as they always did. */
export const mailAfterPush: readonly NoticeKind[] = ['answer', 'call', 'commitment']

/** A kind whose email can be switched off with others has its choice there, where the link at an email's end finds it. */
export const purposeOfKind: Partial<Record<NoticeKind, MailPurpose>> = { call: 'call-reminder' }

/** What a member has chosen for each kind. Without a choice it's email alone, as ever. */
export function listChoices(ctx: Context, userId: string): NoticeChoice[] {
  const stored = new Map(choicesOf.all(ctx, { userId }).map((choice) => [choice.kind, choice]))
  return noticeKinds.map((kind) => {
    const choice = stored.get(kind)
    return {
      kind,
      byPush: choice?.byPush ?? false,
      byMail: mailChoiceOf(ctx, { userId, kind, stored: choice?.byMail }),
    }
  })
}

type Kind = { userId: string; kind: NoticeKind; stored: boolean | undefined }

function mailChoiceOf(ctx: Context, { userId, kind, stored = true }: Kind): boolean | null {
  if (!mailAfterPush.includes(kind)) return null
  const purpose = purposeOfKind[kind]
  return purpose === undefined ? stored : isMailWanted(ctx, { userId, purpose })
}

export function choiceOf(ctx: Context, userId: string, kind: NoticeKind): NoticeChoice {
  const found = listChoices(ctx, userId).find((choice) => choice.kind === kind)
  return found ?? { kind, byPush: false, byMail: null }
}

/** For owners: what they switched on, and on how many phones. */
export const noticesOf = (ctx: Context, userId: string): MemberNotices => ({
  kinds: listChoices(ctx, userId)
    .filter(({ byPush }) => byPush)
    .map(({ kind }) => kind),
  phones: phonesOf.all(ctx, { userId, now: ctx.now().toISOString() }).length,
})

export function changeChoice(ctx: Context, userId: string, { kind, byPush, byMail }: NoticeChoiceChange): void {
  if (byMail !== undefined && !mailAfterPush.includes(kind))
    throw new AppError('conflict', 'This email always goes, so it can’t be switched off.')
  transact(ctx, () => {
    const purpose = purposeOfKind[kind]
    if (byMail !== undefined && purpose !== undefined) choosePurpose(ctx, userId, { purpose, isWanted: byMail })
    const own = {
      ...(byPush === undefined ? {} : { byPush }),
      ...(byMail === undefined || purpose !== undefined ? {} : { byMail }),
    }
    if (Object.keys(own).length === 0) return
    upsert(ctx, noticeChoices, { userId, kind, ...own, changedAt: ctx.now().toISOString() })
  })
}
