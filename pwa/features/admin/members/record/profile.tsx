import { useState } from 'react'
import * as v from 'valibot'
import { type FormValues, readOwnerDraft } from '#pwa/features/admin/kit/forms/draft-storage.ts'
import { RowForm, type RowFormParts } from '#pwa/features/admin/kit/forms/row-form.tsx'
import { useAddressedPart } from '#pwa/features/admin/kit/forms/use-addressed-dialog.ts'
import { newsText } from '#pwa/features/admin/kit/members/member-page-texts.ts'
import { api } from '#pwa/lib/api.ts'
import { Button } from '#pwa/ui/button.tsx'
import { CheckField, TextField } from '#pwa/ui/field.tsx'
import { Line } from '#shared/contract/fields.ts'
import { MemberProfile, MemberProfileFields, type MemberRecord } from '#shared/contract/member-record.ts'
import { unprovenEmailText } from '#shared/contract/members.ts'
import { noticesText } from '#shared/rules/notice-words.ts'

const fields = [
  ['firstName', 'First name'],
  ['lastName', 'Last name'],
  ['email', 'Email'],
  ['phone', 'Phone'],
  ['businessName', 'Business'],
  ['trade', 'Trade'],
] as const

const compared = fields.map(([name, label]): [string, (profile: MemberProfileFields) => string] => [
  label,
  (profile) => profile[name] ?? '',
])

export function ProfileSection({ record: { profile, member, news, notices } }: { record: MemberRecord }) {
  const asked = useAddressedPart('details')
  const draft = `profile:${profile.id}`
  const [hasOpened, setOpened] = useState(() => readOwnerDraft(draft) !== null)
  const isEditing = hasOpened || asked.isOpen
  const close = () => {
    setOpened(false)
    if (asked.isOpen) asked.close()
  }
  return (
    <section ref={asked.part} className="sheet person__part" aria-label="Profile">
      <div className="person__top">
        <h2>Profile</h2>
        {!isEditing && (
          <Button isSmall look="line" icon="pencil" onClick={() => setOpened(true)}>
            Edit profile
          </Button>
        )}
      </div>
      {isEditing ? (
        <RowForm
          label="Profile"
          className="fields"
          draft={draft}
          schema={EditedProfile}
          read={(entered) => ({ ...entered, isUnsafe: entered.isUnsafe === 'on' })}
          row={MemberProfile}
          begin={() => valuesOf(profile)}
          valuesOf={valuesOf}
          send={({ isUnsafe, unsafeMailbox, ...request }, { version }) =>
            api.api.admin
              .members({ memberId: profile.id })
              .profile.put({ ...request, version, ...(isUnsafe && { unsafeMailbox }) })
          }
          failure="We couldn’t save the profile"
          done={({ email }) => ({ title: 'Profile saved', description: email })}
          compared={compared}
          submit="Save profile"
          cancel="Cancel"
          onClose={close}
        >
          {(parts) => <ProfileFields {...parts} />}
        </RowForm>
      ) : (
        <Facts
          facts={[
            ...fields.map(([name, label]) => [label, profile[name]] as const),
            ['Email confirmed', member.isEmailProven ? null : unprovenEmailText],
            ['Password', member.hasPassword ? null : 'Not set yet'],
            ['Emails', member.mailRefused && `Refused: ${member.mailRefused}`],
            ['Campaigns', newsText(news)],
            ['Notices', noticesText(notices)],
          ]}
        />
      )}
    </section>
  )
}

const valuesOf = (profile: MemberProfile): FormValues => ({
  ...Object.fromEntries(fields.map(([name]) => [name, profile[name] ?? ''])),
  version: String(profile.version),
})

const EditedProfile = v.pipe(
  v.object({ ...MemberProfileFields.entries, isUnsafe: v.boolean(), unsafeMailbox: v.optional(Line(300), '') }),
  v.forward(
    v.check(({ isUnsafe, unsafeMailbox }) => !isUnsafe || unsafeMailbox !== '', 'Say why. It goes in the audit log.'),
    ['unsafeMailbox'],
  ),
)

const ProfileFields = (parts: RowFormParts) => (
  <>
    <MemberFields {...parts} />
    <UnsafeMailbox {...parts} />
  </>
)

/** With a new email address: should we tell the old one? */
function UnsafeMailbox({ values, errors }: RowFormParts) {
  const [isUnsafe, setUnsafe] = useState(values.isUnsafe === 'on')
  return (
    <>
      <CheckField
        label="The old mailbox isn’t safe"
        hint="Tick this if someone else can read it. We won’t send anything more to the old address."
        name="isUnsafe"
        defaultChecked={isUnsafe}
        onChange={({ currentTarget }) => setUnsafe(currentTarget.checked)}
      />
      {isUnsafe && (
        <TextField
          label="Why it isn’t safe"
          name="unsafeMailbox"
          autoComplete="off"
          defaultValue={values.unsafeMailbox}
          error={errors.unsafeMailbox}
        />
      )}
    </>
  )
}

const MemberFields = ({ values, errors }: RowFormParts) =>
  fields.map(([name, label]) => (
    <TextField
      key={name}
      label={label}
      name={name}
      type={name === 'email' ? 'email' : name === 'phone' ? 'tel' : 'text'}
      autoComplete="off"
      hint={
        name === 'email'
          ? 'They log in with it and we email it. Links we sent to the old address stop working.'
          : undefined
      }
      defaultValue={values[name]}
      error={errors[name]}
    />
  ))

export const Facts = ({
  facts,
}: {
  facts: readonly (readonly [label: string, value: string | null | undefined])[]
}) => (
  <dl className="entry">
    {facts.map(
      ([label, value]) =>
        value && (
          <div key={`${label} ${value}`}>
            <dt className="label">{label}</dt>
            <dd>{value}</dd>
          </div>
        ),
    )}
  </dl>
)
