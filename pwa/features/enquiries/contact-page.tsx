import { LastingForm } from '#pwa/features/forms/lasting-form.tsx'
import { Needed } from '#pwa/features/forms/needed.tsx'
import { useSiteContent } from '#pwa/lib/site-content.tsx'
import { TextAreaField, TextField } from '#pwa/ui/field.tsx'
import { Stat } from '#pwa/ui/stat.tsx'
import { contactLabels } from '#shared/contract/form-words.ts'
import type { ContactText } from '#shared/contract/texts/contact.ts'
import { EnquiryPage } from './enquiry-page.tsx'
import { contactKind } from './kinds.ts'
import { OtherWays } from './other-ways.tsx'
import { PersonFields } from './person-fields.tsx'

/** `subject`: what the page that led here is about; it begins the message. */
type Props = { text: ContactText; subject?: string | undefined }

export const ContactPage = ({ text, subject }: Props) => (
  <EnquiryPage
    margin="Contact"
    heading={text.heading}
    lead={text.lead}
    aside={
      <>
        <OtherWays {...text.ways} />
        <Figures />
      </>
    }
  >
    <LastingForm
      form={contactKind}
      label="Contact us"
      action="Send message"
      subject={subject ? { field: 'message', text: subject } : undefined}
    >
      {(errors) => (
        <div className="fields">
          <PersonFields errors={errors} labels={contactLabels} />
          <TextField label={contactLabels.trade} name="trade" autoComplete="organization-title" error={errors.trade} />
          <TextAreaField
            label={<Needed label={contactLabels.message} />}
            name="message"
            rows={6}
            required
            error={errors.message}
          />
        </div>
      )}
    </LastingForm>
  </EnquiryPage>
)

function Figures() {
  const { coached, revenue } = useSiteContent().claims
  const shown = [coached, revenue].filter(({ isOn }) => isOn)
  if (shown.length === 0) return null
  return (
    <div className="enquiry__stats">
      {shown.map(({ figure, label }) => (
        <Stat key={label} figure={figure} label={label} />
      ))}
    </div>
  )
}
