import { ChoiceField } from '#pwa/features/forms/choice-field.tsx'
import type { FieldErrors } from '#pwa/features/forms/field-errors.ts'
import { LastingForm } from '#pwa/features/forms/lasting-form.tsx'
import { ButtonLink } from '#pwa/ui/button.tsx'
import { TextAreaField, TextField } from '#pwa/ui/field.tsx'
import { StepList, TickList } from '#pwa/ui/list.tsx'
import { bookingTrades, bookingLabels as labels } from '#shared/contract/form-words.ts'
import type { BookCoachingCallText } from '#shared/contract/texts/book-coaching-call.ts'
import { EnquiryPage } from './enquiry-page.tsx'
import { coachingBookingKind } from './kinds.ts'
import { PersonFields } from './person-fields.tsx'

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
    <LastingForm
      form={coachingBookingKind}
      label="Book a call"
      action="Book the call"
      confirmation={() => <Booked next={text.next} />}
      afterwards={<NextSteps next={text.next} />}
    >
      {(errors) => <BookingFields errors={errors} />}
    </LastingForm>
  </EnquiryPage>
)

const trades = Object.fromEntries(bookingTrades.map((trade) => [trade, trade]))

const BookingFields = ({ errors }: { errors: FieldErrors }) => (
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
      hint="Such as weekdays after 17:00."
      error={errors.preferredTimes}
    />
    <TextAreaField
      label={labels.businessChallenges}
      name="businessChallenges"
      rows={4}
      error={errors.businessChallenges}
    />
    <TextAreaField label={labels.notes} name="notes" rows={3} error={errors.notes} />
  </div>
)

type NextProps = Pick<BookCoachingCallText, 'next'>

const Booked = ({ next }: NextProps) => (
  <div className="enquiry__done">
    <h2>{coachingBookingKind.sent.title}</h2>
    <p>{coachingBookingKind.sent.description}</p>
    <NextSteps next={next} />
  </div>
)

/** No time is set yet: the coach agrees one with the caller. */
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
      Back to the front page
    </ButtonLink>
  </div>
)
