import { createContext, lazy, type ReactNode, Suspense, use, useCallback, useRef, useState } from 'react'
import { loadFile } from '#pwa/lib/load-file.ts'
import { RequestError } from '#pwa/lib/request-error.ts'

type Prove = <Result>(call: () => Promise<Result>, how?: { asksFirst: boolean }) => Promise<Result>

/**
 * Makes a call. If the server requires the password first, asks for it and repeats the call. With `isEachTime` it asks before the
 * call: a proof given for something else may be a minute old.
 */
export const ProofContext = createContext<Prove>((call) => call())

export const useProof = () => use(ProofContext)

type Answer = (isProven: boolean) => void

/** `answer` exists while we ask for the password; false returns the server's refusal. */
export function useProofQuestion() {
  const [answer, setAnswer] = useState<{ give: Answer } | null>(null)
  const asked = useRef<Promise<boolean> | null>(null)
  const ask = useCallback(() => {
    // Two calls at the same time ask once.
    asked.current ??= new Promise<boolean>((resolve) => setAnswer({ give: resolve })).finally(() => {
      asked.current = null
      setAnswer(null)
    })
    return asked.current
  }, [])
  const prove = useCallback<Prove>(
    async (call, { asksFirst } = { asksFirst: false }) => {
      if (asksFirst && !(await ask())) throw notProven()
      try {
        return await call()
      } catch (error) {
        if (!(error instanceof RequestError && error.code === 'password_needed')) throw error
        if (!(await ask())) throw error
        return await call()
      }
    },
    [ask],
  )
  return { prove, answer: answer?.give ?? null }
}

const notProven = () => new RequestError({ status: 403, code: 'password_needed', message: 'No proof was given' })

const ProofDialog = lazy(() => loadFile(() => import('./proof-dialog.tsx')))

type GateProps = { why: string; isEachTime?: boolean; children: ReactNode }

/** Asks for the password if an action inside needs it again. The dialog says `why`. */
export function ProofGate({ why, isEachTime = false, children }: GateProps) {
  const { prove, answer } = useProofQuestion()
  return (
    <ProofContext value={prove}>
      {children}
      {answer && (
        <Suspense>
          <ProofDialog why={why} isEachTime={isEachTime} onAnswer={answer} />
        </Suspense>
      )}
    </ProofContext>
  )
}
