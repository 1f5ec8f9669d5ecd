import * as v from 'valibot'
import { Copy } from './parts.ts'

/** The emails to members and buyers that owners can word, by the start of their kind. */
export const mailKinds = [
  ...(['welcome', 'reactivated', 'set-up', 'receipt', 'payment-failed', 'access-ending'] as const),
  ...(['access-ended', 'card-link', 'moved-in'] as const),
  ...(['tier-change', 'price-move', 'renewal', 'ending', 'resumed', 'ended', 'refund', 'quotient-order'] as const),
  ...(['answer', 'published'] as const),
]
export const MailKind = v.picklist(mailKinds, 'There’s no email of this kind.')
export type MailKind = v.InferOutput<typeof MailKind>

const orNothing = (most: number) =>
  v.union(
    [v.literal(''), v.pipe(Copy, v.maxLength(most, `can have up to ${most} characters`))],
    `must be plain text, up to ${most} characters, or empty`,
  )

/**
 * Goes around what the program says, which stays: amounts, days, links and what the law requires. An empty subject means the
 * program's; empty words mean none.
 */
const MailText = v.strictObject({ subject: orNothing(120), opening: orNothing(1500), closing: orNothing(1500) })
export type MailText = v.InferOutput<typeof MailText>

export const MailTexts = v.strictObject(v.entriesFromList(mailKinds, MailText))
export type MailTexts = v.InferOutput<typeof MailTexts>

export const MailTextParams = v.object({ kind: MailKind })

/** Each kind with its current subject, including the owner's draft. */
export const MailTextList = v.array(v.object({ kind: MailKind, subject: v.string() }))
export const MailTextTest = v.object({ to: v.string() })
