import { type RefObject, useEffect } from 'react'
import { ConflictSection } from '#pwa/features/forms/conflict.tsx'
import { RequiredLabel } from '#pwa/features/forms/form-fields.tsx'
import { type FieldErrors, focusFirstError } from '#pwa/features/forms/use-field-errors.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { EmailField, TextField } from '#pwa/ui/field.tsx'
import { formatLongDate } from '#shared/rules/london.ts'
import { plural } from '#shared/rules/plural.ts'
import { type ProfileDraft, removeProfileDraft } from './profile-draft-storage.ts'
import { notProvided, profileFields, profileLabels } from './profile-texts.ts'
import type { Account } from './queries.ts'
import { useProfileForm } from './use-profile-form.ts'

type Props = Account & {
  draft: ProfileDraft
  /** It was typed before and never saved. */
  isRestored: boolean
  hasSignal: boolean
  hasPassword: boolean
  emailFixedUntil: string | null
  onClose: () => void
}

export default function ProfileForm({ draft, isRestored, hasSignal, emailFixedUntil, onClose, ...account }: Props) {
  const { form, errors, isBusy, problem, conflict, saveMine, takeTheirs } = useProfileForm(account, draft, onClose)
  const { ref } = form
  // It's taller or shorter than the details it replaces, so the page may have moved away from it.
  useEffect(() => {
    if (!isRestored) ref.current?.querySelector('input')?.focus()
  }, [ref, isRestored])
  const discard = () => {
    removeProfileDraft()
    onClose()
  }
  return (
    <form {...form} className="profile__form" aria-label="Edit profile">
      {isRestored && (
        <Banner role="status" title="We’ve brought back what you typed">
          You hadn’t saved it.
        </Banner>
      )}
      <ErrorSummary formRef={form.ref} errors={errors} labels={profileLabels} />
      {problem && <Banner tone="bad" role="alert" title={problem} />}
      <ProfileFields typed={draft.typed} errors={errors} emailFixedUntil={emailFixedUntil} />
      {conflict && (
        <ConflictSection
          title="You’ve changed these details on another device"
          differences={profileFields.map((name) => ({
            label: profileLabels[name],
            mine: conflict.mine[name] || notProvided,
            theirs: conflict.theirs[name] || notProvided,
          }))}
          mineLabel="Save this one"
          theirsLabel="Keep the other"
          columns={['This device', 'The other device']}
          isBusy={isBusy}
          onMine={saveMine}
          onTheirs={takeTheirs}
        />
      )}
      <div className="acts">
        <Button
          type="submit"
          icon={hasSignal ? 'tick' : 'nosignal'}
          second={hasSignal ? undefined : 'Needs signal'}
          disabled={!hasSignal}
          isBusy={isBusy}
          busyLabel="Saving…"
        >
          Save changes
        </Button>
        <Button look="line" onClick={discard}>
          Cancel
        </Button>
      </div>
      <p className="second" role="status">
        {!hasSignal && 'No signal. It’s safe on this phone until you can save it.'}
      </p>
    </form>
  )
}

type FieldsProps = { typed: Record<string, string>; errors: FieldErrors; emailFixedUntil: string | null }

function ProfileFields({ typed, errors, emailFixedUntil }: FieldsProps) {
  const field = (name: 'firstName' | 'lastName' | 'phone' | 'businessName' | 'trade') => ({
    name,
    defaultValue: typed[name],
    error: errors[name],
  })
  return (
    <div className="fields">
      <TextField
        {...field('firstName')}
        className="f3"
        label={<RequiredLabel label={profileLabels.firstName} />}
        autoComplete="given-name"
        required
      />
      <TextField
        {...field('lastName')}
        className="f3"
        label={<RequiredLabel label={profileLabels.lastName} />}
        autoComplete="family-name"
        required
      />
      <EmailField
        className="f3"
        label={<RequiredLabel label={profileLabels.email} />}
        autoComplete="email"
        defaultValue={typed.email}
        readOnly={emailFixedUntil !== null}
        required
        hint={emailHint(emailFixedUntil)}
        error={errors.email}
      />
      <TextField
        {...field('phone')}
        className="f3"
        label={profileLabels.phone}
        type="tel"
        inputMode="tel"
        autoComplete="tel"
      />
      <TextField
        {...field('businessName')}
        className="f3"
        label={profileLabels.businessName}
        autoComplete="organization"
      />
      <TextField {...field('trade')} className="f3" label={profileLabels.trade} autoComplete="off" />
    </div>
  )
}

const emailHint = (fixedUntil: string | null) =>
  fixedUntil === null
    ? 'We’ll email the new address a link. It changes when you open it.'
    : `You changed it recently. You can change it again from ${formatLongDate(fixedUntil)}.`

type SummaryProps = {
  formRef: RefObject<HTMLFormElement | null>
  errors: FieldErrors
  labels: Readonly<Record<string, string>>
}

function ErrorSummary({ formRef, errors, labels }: SummaryProps) {
  const wrong = Object.keys(labels).filter((name) => errors[name])
  if (wrong.length === 0) return null
  return (
    <Banner tone="bad" role="alert" title={`${plural(wrong.length, 'thing')} to fix`}>
      <ul className="error-summary">
        {wrong.map((name) => (
          <li key={name}>
            <button
              type="button"
              onClick={() => formRef.current && focusFirstError(formRef.current, { [name]: errors[name] })}
            >
              {labels[name]}: {errors[name]}
            </button>
          </li>
        ))}
      </ul>
    </Banner>
  )
}
