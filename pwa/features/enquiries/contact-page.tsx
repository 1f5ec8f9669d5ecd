import { PersonFields, RequiredLabel } from '#pwa/features/forms/form-fields.tsx'
import type { QueuedFormDefinition } from '#pwa/features/forms/form-texts.ts'
import { QueuedForm } from '#pwa/features/forms/queued-form.tsx'
import { loadFile } from '#pwa/lib/load-file.ts'
import { useSiteContent } from '#pwa/lib/site-content.tsx'
import { TextAreaField, TextField } from '#pwa/ui/field.tsx'
import { TextAnchor } from '#pwa/ui/link.tsx'
import { Stat } from '#pwa/ui/stat.tsx'
import { contactLabels } from '#shared/contract/form-labels.ts'
import type { ContactText } from '#shared/contract/texts/contact.ts'
import { toFirmContacts } from '#shared/rules/firm.ts'
import { EnquiryPage } from './enquiry-page.tsx'

const contactForm: QueuedFormDefinition = {
  kind: 'contact',
  loadContract: async () => ({ schema: (await loadFile(() => import('#shared/contract/contact.ts'))).ContactForm }),
  sent: { title: 'Message sent successfully!', description: "We'll get back to you soon" },
  failed: (sentence) => ({ title: 'Error sending message', description: sentence ?? 'Please try again later' }),
  problem: 'Error sending message',
}

/** `subject` is about the page that led here; it starts the message. */
type Props = { text: ContactText; subject?: string | undefined }

export const ContactPage = ({ text, subject }: Props) => (
  <EnquiryPage
    margin="Contact"
    heading={text.heading}
    lead={text.lead}
    aside={
      <>
        <OtherContacts {...text.ways} />
        <Figures />
      </>
    }
  >
    <QueuedForm
      form={contactForm}
      label="Contact us"
      action="Send message"
      subject={subject ? { field: 'message', text: subject } : undefined}
    >
      {(errors) => (
        <div className="fields">
          <PersonFields errors={errors} labels={contactLabels} />
          <TextField label={contactLabels.trade} name="trade" autoComplete="off" error={errors.trade} />
          <TextAreaField
            label={<RequiredLabel label={contactLabels.message} />}
            name="message"
            required
            error={errors.message}
          />
        </div>
      )}
    </QueuedForm>
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

function OtherContacts({ heading, lead }: ContactText['ways']) {
  const { brand, coaches, links } = useSiteContent()
  const networks = [
    { name: 'Facebook', url: links.facebook },
    { name: 'Instagram', url: links.instagram },
  ].filter(({ url }) => url !== '')
  return (
    <div className="enquiry__panel">
      <h2>{heading}</h2>
      <p>{lead}</p>
      <ul className="plain">
        {toFirmContacts(brand).map(({ label, href }) => (
          <li key={href}>
            <TextAnchor isTap href={href}>
              {label}
            </TextAnchor>
          </li>
        ))}
        {brand.openingHours && <li>{brand.openingHours}</li>}
        {coaches.map(({ name, chat }) => (
          <ExternalLink key={chat} text={`WhatsApp ${name}`} url={chat} />
        ))}
        {coaches.map(({ name, email }) => (
          <li key={email}>
            <TextAnchor isTap href={`mailto:${email}`}>
              Email {name}
            </TextAnchor>
          </li>
        ))}
        {networks.map(({ name, url }) => (
          <ExternalLink key={name} text={name} url={url} />
        ))}
      </ul>
    </div>
  )
}

const ExternalLink = ({ text, url }: { text: string; url: string }) => (
  <li>
    <TextAnchor isTap href={url} target="_blank" rel="noreferrer">
      {text}
    </TextAnchor>
  </li>
)
