import { useEffect } from 'react'
import { loadFile } from '#pwa/lib/load-file.ts'
import type { Engine } from '#pwa/sync/progress/engine.ts'

/** After the screen is there, and what it asks for. */
const delayMs = 1_500

/**
 * Sends the questions that wait, and fetches answers, while the members' area is open. What does it comes in its own file. An owner
 * viewing as a member has none.
 */
export function useQuestionsAtWork(engine: Engine | null): void {
  useEffect(() => {
    if (engine === null || engine.isReadOnly) return
    const timer = setTimeout(() => {
      loadFile(() => import('#pwa/sync/questions/open-questions.ts')).then(
        ({ openQuestions }) => openQuestions(engine),
        // Its file may not be here yet, and the server not there. The next opening tries again.
        () => {},
      )
    }, delayMs)
    return () => clearTimeout(timer)
  }, [engine])
}
