import { createContext, lazy, type ReactNode, Suspense, use, useCallback, useRef, useState } from 'react'
import { RequestError } from '#pwa/lib/request-error.ts'

type Prove = <Result>(call: () => Promise<Result>, how?: { asksFirst: boolean }) => Promise<Result>

/**
 * Makes a call and, where the server wants the password first, asks for it and makes the call again. What asks each time does so
 * before the call: a proof for something else may be a minute old.
 */
export const ProofContext = createContext<Prove>((call) => call())

export const useProof = () => use(ProofContext)

type Answer = (isProven: boolean) => void

/** `answer` is there while the password is asked for; false gives the server's refusal to what was tried. */
export function useProofQuestion() {
  const [answer, setAnswer] = useState<{ give: Answer } | null>(null)
  const asked = useRef<Promise<boolean> | null>(null)
  const ask = useCallback(() => {
    // Two calls at once ask once.
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

const ProofDialog = lazy(() => import('./proof-dialog.tsx'))

type GateProps = { why: string; isEachTime?: boolean; children: ReactNode }

/** Asks for the password where what is done inside needs it again. `why` is said in the dialog. */
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
