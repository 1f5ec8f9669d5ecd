import { ChoiceField, PersonFields } from '#pwa/features/forms/form-fields.tsx'
import type { FormContract, QueuedFormDefinition } from '#pwa/features/forms/form-texts.ts'
import { QueuedForm } from '#pwa/features/forms/queued-form.tsx'
import type { FieldErrors } from '#pwa/features/forms/use-field-errors.ts'
import { loadFile } from '#pwa/lib/load-file.ts'
import { ButtonLink } from '#pwa/ui/button.tsx'
import { TextAreaField, TextField } from '#pwa/ui/field.tsx'
import { StepList, TickList } from '#pwa/ui/list.tsx'
import type { CoachingBookingForm } from '#shared/contract/coaching-booking.ts'
import { bookingLabels as labels } from '#shared/contract/form-labels.ts'
import type { BookCoachingCallText } from '#shared/contract/texts/book-coaching-call.ts'
import { bookingTradeNames } from '#shared/rules/trade-names.ts'
import { EnquiryPage } from './enquiry-page.tsx'

const bookingForm: QueuedFormDefinition = {
  kind: 'coaching-booking',
  loadContract: async (): Promise<FormContract<CoachingBookingForm>> => {
    const [{ CoachingBookingForm }, { bookingRequest }] = await Promise.all([
      loadFile(() => import('#shared/contract/coaching-booking.ts')),
      loadFile(() => import('#shared/rules/coaching-request.ts')),
    ])
    return { schema: CoachingBookingForm, toBody: bookingRequest }
  },
  sent: { title: 'Booking Request Submitted', description: 'The coach will contact you within 24 hours.' },
  failed: () => ({
    title: 'Booking Failed',
    description: 'There was an error submitting your booking. Please try again.',
  }),
  problem: 'Booking Failed',
}

export const BookCoachingCallPage = ({ text }: { text: BookCoachingCallText }) => (
  <EnquiryPage
    margin="Free call"
    heading={text.heading}
    lead={text.lead}
    aside={
      <div className="enquiry__panel">
        <h2>{text.about.heading}</h2>
        <TickList items={text.about.items} />
      </div>
    }
  >
    <QueuedForm
      form={bookingForm}
      label="Book a call"
      action="Book the call"
      confirmation={() => <Booked next={text.next} />}
      afterwards={<NextSteps next={text.next} />}
    >
      {(errors) => <BookingFields errors={errors} trades={bookingTradeNames(text.trades)} />}
    </QueuedForm>
  </EnquiryPage>
)

type FieldsProps = { errors: FieldErrors; trades: Record<string, string> }

const BookingFields = ({ errors, trades }: FieldsProps) => (
  <div className="fields">
    <PersonFields errors={errors} labels={labels} phone="optional" />
    <ChoiceField className="f3" label={labels.trade} name="trade" choices={trades} error={errors.trade} />
    <TextField
      label={labels.businessName}
      name="businessName"
      autoComplete="organization"
      error={errors.businessName}
    />
    <TextField
      label={labels.preferredTimes}
      name="preferredTimes"
      autoComplete="off"
      hint="For example, weekdays after 5pm"
      error={errors.preferredTimes}
    />
    <TextAreaField label={labels.businessChallenges} name="businessChallenges" error={errors.businessChallenges} />
    <TextAreaField label={labels.notes} name="notes" error={errors.notes} />
  </div>
)

type NextProps = Pick<BookCoachingCallText, 'next'>

const Booked = ({ next }: NextProps) => (
  <div className="enquiry__done">
    <h2>{bookingForm.sent.title}</h2>
    <p>{bookingForm.sent.description}</p>
    <NextSteps next={next} />
  </div>
)

const NextSteps = ({ next }: NextProps) => (
  <div className="enquiry__done">
    <h3>{next.heading}</h3>
    <StepList>
      {next.steps.map(({ title, text }) => (
        <li key={title}>
          <h4>{title}</h4>
          <p>{text}</p>
        </li>
      ))}
    </StepList>
    <ButtonLink look="line" to="/">
      Back to home
    </ButtonLink>
  </div>
)
