import { useValidatedForm } from '#pwa/features/forms/use-validated-form.ts'
import { parseResponse } from '#pwa/lib/api.ts'
import { messageOf } from '#pwa/lib/request-error.ts'
import { Button } from '#pwa/ui/button.tsx'
import { EmailField, PasswordField } from '#pwa/ui/field.tsx'
import { useToast } from '#pwa/ui/toast.tsx'
import { PasswordSet, type SessionUser, SetPasswordRequest } from '#shared/contract/auth.ts'
import type { AuthSession } from './session-store.ts'
import './auth.css'

type Props = {
  session: AuthSession
  user: SessionUser
  hasSignal: boolean
  /** They've only just typed their address, so it may have a typo. */
  isAddressNew?: boolean
  /** The page says the sentence itself, so the message doesn't. */
  isSaidBelow?: boolean
  /** `sentence` says what they log in with, and what they have to do first. */
  onDone: (sentence: string) => void
}

/** A first password for someone logged in without one. They can correct a mistyped email address with it. */
export function SetPasswordForm({
  session,
  user,
  hasSignal,
  isAddressNew = false,
  isSaidBelow = false,
  onDone,
}: Props) {
  const toast = useToast()
  const { form, errors, isBusy } = useValidatedForm({
    schema: SetPasswordRequest,
    send: ({ newPassword, email }) => {
      const body = email === undefined || email === user.email ? { newPassword } : { newPassword, email }
      return parseResponse(PasswordSet, session.api.api.auth['set-password'].post(body))
    },
    onDone: (stored) => {
      const message = told(user, stored)
      toast({ title: 'Password set', ...(isSaidBelow ? {} : message), tone: 'ok' })
      onDone(message.description)
    },
    onFail: (error) => {
      const description = messageOf(error, 'Something went wrong. Please try again.')
      toast({ title: 'We couldn’t set your password', description, tone: 'bad' })
    },
  })
  return (
    <form className="sheet auth__sheet" aria-labelledby="set-password" {...form}>
      <div>
        <h2 className="panel__title" id="set-password">
          Set your password
        </h2>
        <p>Until you do, you log in with a code we email you.</p>
      </div>
      <EmailField
        defaultValue={user.email}
        hint={isAddressNew ? 'Correct it here if there’s a typo.' : undefined}
        error={errors.email}
      />
      <NewPasswordField error={errors.newPassword} />
      <Button type="submit" icon="lock" disabled={!hasSignal} isBusy={isBusy} busyLabel="Saving…">
        {hasSignal ? 'Set the password' : 'Needs signal'}
      </Button>
    </form>
  )
}

/** A corrected address counts only once it's confirmed, so we tell them what they log in with until then. */
const told = ({ email }: SessionUser, stored: PasswordSet) =>
  stored.emailToConfirm === undefined
    ? saying('Log in with it on any phone or computer.', stored)
    : {
        description: `Open the link we emailed to ${stored.emailToConfirm}. Until then, log in with ${email}.`,
        duration: 12_000,
      }

/** A toast's message. It stays longer if it withdrew an address change the person may still want. */
export const saying = (sentence: string, { isEmailChangeWithdrawn }: PasswordSet) =>
  isEmailChangeWithdrawn
    ? {
        description: `${sentence} We’ve cancelled your email change: make it again under Profile.`,
        duration: 12_000,
      }
    : { description: sentence }

/** The hint is the length `NewPassword` of the contract requires. */
export const NewPasswordField = ({ error }: { error: string | undefined }) => (
  <PasswordField
    label="New password"
    name="newPassword"
    autoComplete="new-password"
    hint="At least 8 characters."
    error={error}
  />
)
