import { isOutage, type Owners, toOwnerError } from './errors.ts'
import { markOutcomeUnknown, notingChanges } from './outcome.ts'

/**
 * No answer isn't a refusal: Stripe may have carried it out. So this looks again, once: the work starts by reading what's there now,
 * and finishes what's missing. If that gets no answer either, the outcome is unknown, and the error says so.
 */
export const lookingAgain = <Result>(work: () => Promise<Result>): Promise<Result> =>
  notingChanges(async (mayHaveChanged) => {
    try {
      return await work()
    } catch (error) {
      if (!(mayHaveChanged() && isOutage(error))) throw error
    }
    try {
      return await work()
    } catch (error) {
      if (error instanceof Error && isOutage(error)) markOutcomeUnknown(error)
      throw error
    }
  })

/** The same for an owner, in an owner's words. */
export async function lookingAgainForOwner<Result>(owners: Owners, work: () => Promise<Result>): Promise<Result> {
  try {
    return await lookingAgain(work)
  } catch (error) {
    throw toOwnerError(owners, error)
  }
}
