import { useState } from 'react'
import type { FormValues } from '#pwa/features/admin/draft-storage.ts'
import { MomentField } from '#pwa/features/admin/published-form.tsx'
import { RowForm, type RowFormParts, valuesIn } from '#pwa/features/admin/row-form.tsx'
import { useTierNames } from '#pwa/features/admin/tiers/use-tier-names.ts'
import { RequiredLabel } from '#pwa/features/forms/form-fields.tsx'
import { api } from '#pwa/lib/api.ts'
import { Button } from '#pwa/ui/button.tsx'
import { Dialog } from '#pwa/ui/dialog.tsx'
import { CheckField, TextAreaField, TextField } from '#pwa/ui/field.tsx'
import { RichTextView } from '#pwa/ui/rich-text.tsx'
import { AdminAnnouncement, AnnouncementRequest } from '#shared/contract/admin-announcement.ts'
import { tierSlugs } from '#shared/contract/tier.ts'
import { formatMoment } from '#shared/rules/london.ts'
import { readRichText } from '#shared/rules/rich-text.ts'
import { problemOfText } from '#shared/rules/written-text.ts'
import { newAnnouncement, readAnnouncementForm, tiersText, valuesOfAnnouncement } from './telling-texts.ts'

type Props = { row: AdminAnnouncement | null; onClose: () => void }

export function AnnouncementDialog({ row, onClose }: Props) {
  const [preview, setPreview] = useState<FormValues | null>(null)
  const tierName = useTierNames()
  const { announcements } = api.api.admin
  return (
    <Dialog isOpen isWide onClose={onClose} title={row ? `Edit: ${row.title}` : 'New announcement'}>
      <RowForm
        label="Announcement"
        className="fields"
        draft={`announcement-${row?.id ?? 'new'}`}
        schema={AnnouncementRequest}
        read={readAnnouncementForm}
        row={AdminAnnouncement}
        begin={() => (row ? valuesOfAnnouncement(row) : newAnnouncement())}
        valuesOf={valuesOfAnnouncement}
        send={(request, { version, key }) =>
          row === null
            ? announcements.post(request, { headers: { 'idempotency-key': key } })
            : announcements({ id: row.id }).patch({ ...request, version })
        }
        failure="We couldn’t save the announcement."
        done={({ title }) => ({ title: 'Announcement saved', description: title })}
        compared={[
          ['Title', ({ title }) => title],
          ['Text', ({ text }) => text],
          ['For', ({ tiers }) => tiersText(tiers, tierName)],
          ['From', ({ startsAt }) => (startsAt === undefined ? '' : formatMoment(startsAt))],
          ['Until', ({ endsAt }) => formatMoment(endsAt)],
        ]}
        submit={row ? 'Save announcement' : 'Publish'}
        cancel="Discard"
        onClose={onClose}
        tools={(form) => (
          <Button look="line" icon="eye" onClick={() => setPreview(valuesIn(form))}>
            Preview
          </Button>
        )}
      >
        {(parts) => <AnnouncementFields {...parts} />}
      </RowForm>
      {preview && <AnnouncementPreview values={preview} />}
    </Dialog>
  )
}

export const markdownHint =
  'Leave a blank line between paragraphs. ## at the start of a line makes a heading, - a list; **words** are bold, and [words](https://…) is a link.'

const AnnouncementFields = ({ values, errors }: Pick<RowFormParts, 'values' | 'errors'>) => (
  <>
    <TextField
      label={<RequiredLabel label="Title" />}
      name="title"
      required
      autoComplete="off"
      defaultValue={values.title}
      error={errors.title}
    />
    <TextAreaField
      label={<RequiredLabel label="Text" />}
      name="text"
      rows={6}
      required
      hint={markdownHint}
      defaultValue={values.text}
      error={errors.text}
    />
    <MomentField name="startsAt" label="From" isRequired {...{ values, errors }} />
    <MomentField name="endsAt" label="Until" isRequired {...{ values, errors }} />
    <TierFields values={values} />
  </>
)

/** None ticked means everyone. */
export function TierFields({ values }: { values: FormValues }) {
  const tierName = useTierNames()
  return (
    <fieldset className="checks">
      <legend>Which tiers? Tick none for everyone</legend>
      {tierSlugs.map((tier) => (
        <CheckField
          key={tier}
          label={tierName(tier)}
          name={`tier-${tier}`}
          defaultChecked={values[`tier-${tier}`] === 'on'}
        />
      ))}
    </fieldset>
  )
}

function AnnouncementPreview({ values: { title = '', text = '' } }: { values: FormValues }) {
  const problem = problemOfText(text)
  return (
    <section className="sheet telling__preview" aria-label="Preview">
      <p className="label">As members see it</p>
      {problem === null ? (
        <>
          <h3>{title}</h3>
          <RichTextView text={readRichText(text)} />
        </>
      ) : (
        <p>{`The text ${problem}.`}</p>
      )}
    </section>
  )
}
