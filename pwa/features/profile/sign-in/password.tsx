import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { NewPasswordField, SetPasswordForm, saying } from '#pwa/features/auth/set-password-form.tsx'
import { useValidatedForm } from '#pwa/features/forms/use-validated-form.ts'
import type { AccountProps } from '#pwa/features/profile/account/account-section.tsx'
import { sessionsQuery } from '#pwa/features/profile/queries.ts'
import { parseResponse } from '#pwa/lib/api.ts'
import { messageOf } from '#pwa/lib/request-error.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { PasswordField } from '#pwa/ui/field.tsx'
import { useToast } from '#pwa/ui/toast.tsx'
import { PasswordSet } from '#shared/contract/auth.ts'
import { ChangePasswordRequest } from '#shared/contract/profile.ts'

export function PasswordSection({ session, user }: AccountProps) {
  const queryClient = useQueryClient()
  const renew = () => {
    queryClient
      .invalidateQueries({ queryKey: sessionsQuery({ session, memberId: user.id }).queryKey })
      .catch(reportError)
    queryClient.invalidateQueries({ queryKey: ['account-holder'] }).catch(reportError)
  }
  if (!user.hasPassword) return <SetPasswordForm session={session} user={user} hasSignal onDone={renew} />
  return <ChangePasswordForm session={session} onDone={renew} />
}

function ChangePasswordForm({ session, onDone }: Pick<AccountProps, 'session'> & { onDone: () => void }) {
  const toast = useToast()
  const formRef = useRef<HTMLFormElement>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const { form, errors, isBusy } = useValidatedForm({
    schema: ChangePasswordRequest,
    send: (request) => {
      setProblem(null)
      return parseResponse(PasswordSet, session.api.api.auth['change-password'].post(request))
    },
    onDone: (stored) => {
      formRef.current?.reset()
      toast({ title: 'Password changed', ...saying('We’ve logged out your other devices.', stored), tone: 'ok' })
      onDone()
    },
    onFail: (error) => setProblem(messageOf(error, 'We couldn’t change your password. Try again.')),
  })
  return (
    <form {...form} ref={formRef} className="sheet account__sheet" aria-labelledby="change-password">
      <h2 className="panel__title" id="change-password">
        Change your password
      </h2>
      <p>We’ll log out your other devices.</p>
      {problem && <Banner tone="bad" role="alert" title={problem} />}
      <PasswordField
        label="Current password"
        name="currentPassword"
        autoComplete="current-password"
        error={errors.currentPassword}
      />
      <NewPasswordField error={errors.newPassword} />
      <Button type="submit" icon="lock" isBusy={isBusy} busyLabel="Saving…">
        Change the password
      </Button>
    </form>
  )
}
