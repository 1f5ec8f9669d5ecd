import { lazy, type ReactNode, Suspense } from 'react'
import { ProofContext, useProofQuestion } from './use-proof.ts'

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
