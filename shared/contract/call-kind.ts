import * as v from 'valibot'

/** Members' calls first, then visitors'. */
export const callKinds = ['coaching', 'catch-up', 'consultation', 'sales'] as const
export const CallKind = v.picklist(callKinds, `Choose one of: ${callKinds.join(', ')}.`)
export type CallKind = v.InferOutput<typeof CallKind>

export const memberCallKinds = ['coaching', 'catch-up'] as const
export const visitorCallKinds = ['consultation', 'sales'] as const
export const isMemberCall = (kind: CallKind): kind is (typeof memberCallKinds)[number] =>
  kind === 'coaching' || kind === 'catch-up'

/** A call's name in emails, in `.ics` files and for owners. */
export const callNames: Record<CallKind, string> = {
  coaching: 'Coaching call',
  'catch-up': 'Catch-up call',
  consultation: 'Free call',
  sales: 'Sales Lion call',
}

/** For the middle of a sentence: lower case, except for a proper name. */
export const callWithin = (kind: CallKind): string =>
  kind === 'sales' ? callNames[kind] : callNames[kind].toLowerCase()

export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
export const Weekday = v.picklist(weekdays, `Choose one of: ${weekdays.join(', ')}.`)
export type Weekday = v.InferOutput<typeof Weekday>
