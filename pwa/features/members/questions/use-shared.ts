import { useEffect, useState } from 'react'
import { loadFile } from '#pwa/lib/load-file.ts'
import { sharedIds } from '#pwa/lib/shared-cache.ts'
import { useEngine } from '#pwa/sync/hooks.ts'
import { useQuestions } from '#pwa/sync/questions/hooks.ts'

/** Puts what came from share sheets into drafts. `isBusy`: the one under `key` isn't whole yet. `problems`: that it couldn't note itself. */
export function useShared(key = '') {
  const questions = useQuestions()
  const { locks } = useEngine().platform
  const [problems, setProblems] = useState<readonly string[]>([])
  const [isBusy, setBusy] = useState(true)
  useEffect(() => {
    const leaving = new AbortController()
    const { signal } = leaving
    const onTaken = () => setBusy(false)
    const tell = (problem: string) => setProblems((before) => [...before, problem])
    const take = async () => {
      if ((await sharedIds()).length === 0) return
      const { takeShared } = await loadFile(() => import('#pwa/features/questions/shared-storage.ts'))
      await takeShared(questions, { locks, signal }, { id: key, onTaken, tell })
    }
    take()
      .catch((error) => signal.aborted || reportError(error))
      .finally(onTaken)
    return () => leaving.abort()
  }, [key, questions, locks])
  return { problems, isBusy }
}
