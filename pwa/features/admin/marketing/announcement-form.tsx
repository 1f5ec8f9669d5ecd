import { useEffect, useRef, useState } from 'react'
import type { FormValues } from '#pwa/features/admin/kit/forms/draft-storage.ts'
import { type FormPart, formOf, lineField, momentField } from '#pwa/features/admin/kit/forms/form-parts.tsx'
import { RowForm, valuesIn } from '#pwa/features/admin/kit/forms/row-form.tsx'
import { type TierName, useTierNames, useTierSlugs } from '#pwa/features/admin/kit/tiers/use-tier-names.ts'
import { api } from '#pwa/lib/api.ts'
import { Button } from '#pwa/ui/button.tsx'
import { Dialog } from '#pwa/ui/dialog.tsx'
import { CheckField } from '#pwa/ui/field.tsx'
import { RichTextView } from '#pwa/ui/rich-text.tsx'
import { AdminAnnouncement, AnnouncementRequest } from '#shared/contract/admin-announcement.ts'
import type { TierSlug } from '#shared/contract/tier.ts'
import { readRichText } from '#shared/rules/rich-text.ts'
import { problemOfText } from '#shared/values/written-text.ts'
import { newAnnouncement, tierField, tiersIn, tiersText, valuesOfTiers } from './announcement-texts.ts'
import { markdownField } from './markdown-field.tsx'

type Props = { row: AdminAnnouncement | null; onClose: () => void }

export function AnnouncementDialog({ row, onClose }: Props) {
  const [preview, setPreview] = useState<FormValues | null>(null)
  const { draw, ...form } = announcementForm(useTierNames())
  const { announcements } = api.api.admin
  return (
    <Dialog isOpen isWide onClose={onClose} title={row ? `Edit: ${row.title}` : 'New announcement'}>
      <RowForm
        label="Announcement"
        className="fields"
        draft={`announcement-${row?.id ?? 'new'}`}
        schema={AnnouncementRequest}
        row={AdminAnnouncement}
        {...form}
        begin={() => (row ? form.valuesOf(row) : newAnnouncement())}
        send={(request, { version, key }) =>
          row === null
            ? announcements.post(request, { headers: { 'idempotency-key': key } })
            : announcements({ id: row.id }).patch({ ...request, version })
        }
        failure="We couldn’t save the announcement."
        done={({ title, state }) => ({
          title: row === null && state === 'showing' ? 'Members see it now' : 'Announcement saved',
          description: title,
        })}
        submit={row ? 'Save announcement' : 'Publish'}
        cancel="Discard"
        onClose={onClose}
        tools={(form) => (
          <Button look="line" icon="eye" onClick={() => setPreview(valuesIn(form))}>
            Preview
          </Button>
        )}
      >
        {draw}
      </RowForm>
      {preview && <AnnouncementPreview values={preview} />}
    </Dialog>
  )
}

const announcementForm = (nameOf: TierName) =>
  formOf([
    lineField('title', 'Title', { required: true }),
    markdownField(),
    momentField('startsAt', 'From', { required: true }),
    momentField('endsAt', 'Until', { required: true }),
    tiersPart(nameOf),
  ])

const tiersPart = (nameOf: TierName): FormPart<{ tiers: readonly TierSlug[] }> => ({
  name: 'tiers',
  label: 'For',
  draw: ({ values }) => <TierFields values={values} />,
  fill: ({ tiers }) => valuesOfTiers(tiers),
  read: (typed) => ({ tiers: tiersIn(typed) }),
  text: ({ tiers }) => tiersText(tiers, nameOf),
})

/** No tier means everyone. */
export function TierFields({ values }: { values: FormValues }) {
  const tierName = useTierNames()
  const slugs = useTierSlugs()
  const [chosen, setChosen] = useState<readonly TierSlug[]>(() => tiersIn(values))
  return (
    <fieldset className="checks">
      <legend>Which tiers?</legend>
      <CheckField label="All of them" checked={chosen.length === 0} onChange={() => setChosen([])} />
      {slugs.map((tier) => (
        <CheckField
          key={tier}
          label={tierName(tier)}
          name={tierField(tier)}
          checked={chosen.includes(tier)}
          onChange={({ target }) =>
            setChosen(slugs.filter((one) => (one === tier ? target.checked : chosen.includes(one))))
          }
        />
      ))}
    </fieldset>
  )
}

function AnnouncementPreview({ values: { title = '', text = '' } }: { values: FormValues }) {
  const problem = problemOfText(text)
  const section = useRef<HTMLElement>(null)
  useEffect(() => {
    if (text !== undefined) section.current?.scrollIntoView({ block: 'nearest' })
  }, [text])
  return (
    <section ref={section} className="sheet outreach__preview" aria-label="Preview">
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
