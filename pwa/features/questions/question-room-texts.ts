import { questionTextLimit } from '#shared/contract/questions.ts'
import { plural } from '#shared/rules/plural.ts'

/** From here on it’s said how much is left. */
const nearlyFull = questionTextLimit - 400

type Room = { over: number; error?: string; hint?: string }

/** What a field says of how much fits. A browser’s own limit cuts off the end of what’s pasted, and says nothing. */
export function roomIn(text: string): Room {
  const over = text.length - questionTextLimit
  if (over > 0)
    return { over, error: `That’s ${plural(over, 'character')} too many. Shorten it, or send it in two parts.` }
  return text.length < nearlyFull ? { over } : { over, hint: `${plural(Math.abs(over), 'character')} left.` }
}
