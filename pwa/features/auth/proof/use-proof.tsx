import { createContext, lazy, type ReactNode, Suspense, use, useCallback, useRef, useState } from 'react'
import { RequestError } from '#pwa/lib/request-error.ts'

type Prove = <Result>(call: () => Promise<Result>) => Promise<Result>

/** Makes a call and, where the server wants the password first, asks for it and makes the call again. */
export const ProofContext = createContext<Prove>((call) => call())

export const useProof = () => use(ProofContext)

type Answer = (isProven: boolean) => void

/** `answer` is there while the password is asked for; false gives the server's refusal to what was tried. */
export function useProofQuestion() {
  const [answer, setAnswer] = useState<{ give: Answer } | null>(null)
  const asked = useRef<Promise<boolean> | null>(null)
  const prove = useCallback<Prove>(async (call) => {
    try {
      return await call()
    } catch (error) {
      if (!(error instanceof RequestError && error.code === 'password_needed')) throw error
      // Two calls at once ask once.
      asked.current ??= new Promise<boolean>((resolve) => setAnswer({ give: resolve })).finally(() => {
        asked.current = null
        setAnswer(null)
      })
      if (!(await asked.current)) throw error
      return await call()
    }
  }, [])
  return { prove, answer: answer?.give ?? null }
}

const ProofDialog = lazy(() => import('./proof-dialog.tsx'))

/** Asks for the password where what is done inside needs it again. `why` is said in the dialog. */
export function ProofDoor({ why, children }: { why: string; children: ReactNode }) {
  const { prove, answer } = useProofQuestion()
  return (
    <ProofContext value={prove}>
      {children}
      {answer && (
        <Suspense>
          <ProofDialog why={why} onAnswer={answer} />
        </Suspense>
      )}
    </ProofContext>
  )
}
