import { useState } from 'react'
import { ConflictSection } from '#pwa/features/admin/conflict-section.tsx'
import type { FormValues } from '#pwa/features/admin/draft-storage.ts'
import { RestoredNote } from '#pwa/features/admin/restored-section.tsx'
import { useAdminForm, useFormFill, versionField } from '#pwa/features/admin/use-admin-form.ts'
import { api } from '#pwa/lib/api.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { TextField } from '#pwa/ui/field.tsx'
import { MemberProfile, MemberProfileFields, type MemberRecord } from '#shared/contract/member-record.ts'
import { Facts } from './facts-section.tsx'

const fields = [
  ['firstName', 'First name'],
  ['lastName', 'Last name'],
  ['email', 'Email'],
  ['phone', 'Phone'],
  ['businessName', 'Business'],
  ['trade', 'Trade'],
] as const

/** Who the member is, to be put right. What was typed and never saved opens the form again. */
export function ProfileSection({ record: { profile, member } }: { record: MemberRecord }) {
  const draft = `profile:${profile.id}`
  const fill = useFormFill(draft)
  const [isEditing, setEditing] = useState(fill.isRestored)
  const close = () => {
    fill.fillWith(null)
    setEditing(false)
  }
  return (
    <section className="sheet person__part" aria-label="Profile">
      <div className="person__top">
        <h2>Profile</h2>
        {!isEditing && (
          <Button isSmall look="line" icon="pencil" onClick={() => setEditing(true)}>
            Edit the profile
          </Button>
        )}
      </div>
      {isEditing ? (
        <>
          {fill.isRestored && <RestoredNote onStartAgain={() => fill.fillWith(null)} />}
          <ProfileForm
            key={fill.attempt}
            profile={profile}
            draft={draft}
            typed={fill.typed}
            onClose={close}
            onTheirs={(theirs) => fill.fillWith(valuesOf(theirs))}
          />
        </>
      ) : (
        <Facts
          facts={[
            ...fields.map(([name, label]) => [label, profile[name]] as const),
            ['Password', member.hasPassword ? null : 'Not set yet'],
            ['Mail', member.mailRefused && `Refused: ${member.mailRefused}`],
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

type FormProps = {
  profile: MemberProfile
  draft: string
  typed: FormValues | null
  onClose: () => void
  onTheirs: (theirs: MemberProfile) => void
}

function ProfileForm({ profile, draft, typed, onClose, onTheirs }: FormProps) {
  const [values] = useState(() => typed ?? valuesOf(profile))
  const { props, errors, isBusy, problem, conflict, saveMine } = useAdminForm({
    ...{ draft, schema: MemberProfileFields, read: (entered) => entered, row: MemberProfile },
    send: (request, version) => api.api.admin.members({ memberId: profile.id }).profile.put({ ...request, version }),
    failure: 'The profile could not be saved',
    done: ({ email }) => ({ title: 'Profile saved', description: email }),
    onDone: onClose,
  })
  const wordsOf = (given: MemberProfileFields, name: (typeof fields)[number][0]) => given[name] ?? ''
  return (
    <form {...props} className="ask" aria-label="Profile">
      <input type="hidden" name={versionField} defaultValue={values.version} />
      {fields.map(([name, label]) => (
        <TextField
          key={name}
          label={label}
          name={name}
          type={name === 'email' ? 'email' : name === 'phone' ? 'tel' : 'text'}
          autoComplete="off"
          hint={
            name === 'email'
              ? 'They log in with it, and mails go there. Links mailed to the old one stop working.'
              : undefined
          }
          defaultValue={values[name]}
          error={errors[name]}
        />
      ))}
      {problem && <Banner tone="bad" role="alert" title={problem} />}
      {conflict && (
        <ConflictSection
          differences={fields.map(([name, label]) => ({
            label,
            mine: wordsOf(conflict.mine, name),
            theirs: wordsOf(conflict.theirs, name),
          }))}
          isBusy={isBusy}
          onMine={() => saveMine(conflict.theirs.version)}
          onTheirs={() => onTheirs(conflict.theirs)}
        />
      )}
      <div className="acts">
        <Button type="submit" isBusy={isBusy} busyLabel="Saving…">
          Save the profile
        </Button>
        <Button look="line" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
