import { dayText } from '#shared/rules/commitment-words.ts'
import { addDays } from '#shared/rules/london.ts'

/** By when, of one that's open. */
export const byWhen = (day: string, today: string) =>
  day < today ? `Was due ${dayText(day, today)}` : day === today ? 'Today’s the day' : `By ${dayText(day, today)}`

/** The day that one press moves it to: a week after it was due, or a week from now if that has passed. */
export const nextDay = (day: string, today: string) => addDays(day < today ? today : day, 7)

export const notKept = 'We couldn’t save it on this phone. Try again.'

export const noLaterDay = 'Choose today or a later day.'
