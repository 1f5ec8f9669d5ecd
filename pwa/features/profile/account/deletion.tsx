import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useProof } from '#pwa/features/auth/proof/use-proof.tsx'
import { logOut } from '#pwa/features/auth/session-store.ts'
import { parseResponse } from '#pwa/lib/api.ts'
import { messageOf, RequestError } from '#pwa/lib/request-error.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { Dialog } from '#pwa/ui/dialog.tsx'
import { KeepButton } from '#pwa/ui/keep-button.tsx'
import { useToast } from '#pwa/ui/toast.tsx'
import { AccountDeleted } from '#shared/contract/account.ts'
import type { AccountProps } from './account-section.tsx'

export function DeletionSection({ session }: Pick<AccountProps, 'session'>) {
  const [isAsking, setAsking] = useState(false)
  const prove = useProof()
  const toast = useToast()
  const navigate = useNavigate()
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => prove(() => parseResponse(AccountDeleted, session.api.api.user.account.delete({ isSure: true }))),
    onSuccess: async () => {
      await logOut(session)
      toast({ title: 'Account deleted', description: 'You won’t be charged again.', tone: 'ok' })
      await navigate({ to: '/' })
    },
    onSettled: () => setAsking(false),
  })
  return (
    <section className="sheet account__sheet" aria-labelledby="deletion-title">
      <h2 className="panel__title" id="deletion-title">
        Delete your account
      </h2>
      <p>
        Your membership ends straight away, with no refund. We’ll delete your details, photo, ticks, calls and emails,
        here and on your other devices. We have to keep invoices for HMRC.
      </p>
      {error && (
        <Banner tone="bad" role="alert" title="We couldn’t delete your account">
          {reasonOf(error)}
        </Banner>
      )}
      <Button look="bad" isSmall onClick={() => setAsking(true)}>
        Delete my account
      </Button>
      <Dialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title="Delete your account for good?"
        footer={
          <>
            <Button look="bad" isBusy={isPending} busyLabel="Deleting…" onClick={() => mutate()}>
              Delete for good
            </Button>
            <KeepButton isBusy={isPending} onClick={() => setAsking(false)}>
              Keep my account
            </KeepButton>
          </>
        }
      >
        <p>This cannot be undone. If you want your data and your invoices, download them first.</p>
      </Dialog>
    </section>
  )
}

const reasonOf = (error: Error) =>
  error instanceof RequestError && error.code === 'password_needed'
    ? 'Enter your password to delete your account.'
    : messageOf(error, 'We couldn’t reach the site. Try again.')
