import type { Context } from '#api/context.ts'
import type { Person } from '#api/identity/person.ts'
import { type QuestionAllowance, questionsADay } from '#shared/contract/questions.ts'
import { addDays, londonDay, londonInstant, nextMonth, startOfMonth } from '#shared/rules/london.ts'
import { type QuestionLimits, type QuestionsUsed, questionAllowance } from '#shared/rules/question-limit.ts'
import { questionsCounted, questionsPerMonthOfTier } from './queries.ts'

type Asker = Pick<Person, 'id' | 'access'>

/** An owner without a tier has no limit for the month. */
export function limitsOf(ctx: Context, { access }: Asker): QuestionLimits {
  const tier = access.tier === null ? undefined : questionsPerMonthOfTier.get(ctx, { slug: access.tier })
  return { perDay: questionsADay, perMonth: tier?.perMonth ?? null }
}

/** What this person has asked in the London day and month of an instant, withdrawn questions included. */
export const usedBy =
  (ctx: Context, { id: userId }: Asker) =>
  (instant: Date): QuestionsUsed => {
    const day = londonDay(instant)
    const month = day.slice(0, 7)
    const counted = questionsCounted.get(ctx, {
      userId,
      dayFrom: londonInstant(day, '00:00').toISOString(),
      dayTo: londonInstant(addDays(day, 1), '00:00').toISOString(),
      monthFrom: startOfMonth(month).toISOString(),
      monthTo: startOfMonth(nextMonth(month)).toISOString(),
    })
    return counted ?? { onDay: 0, inMonth: 0 }
  }

export function allowanceOf(ctx: Context, person: Asker): QuestionAllowance {
  const now = ctx.now()
  return questionAllowance(now, usedBy(ctx, person)(now), limitsOf(ctx, person))
}
