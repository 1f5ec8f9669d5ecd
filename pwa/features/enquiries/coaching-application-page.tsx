import { ChoiceField, PersonFields, RequiredLabel } from '#pwa/features/forms/form-fields.tsx'
import type { QueuedFormDefinition } from '#pwa/features/forms/form-texts.ts'
import { QueuedForm } from '#pwa/features/forms/queued-form.tsx'
import type { FieldErrors } from '#pwa/features/forms/use-field-errors.ts'
import { loadFile } from '#pwa/lib/load-file.ts'
import { useSiteContent } from '#pwa/lib/site-content.tsx'
import { ButtonLink } from '#pwa/ui/button.tsx'
import { TextAreaField, TextField } from '#pwa/ui/field.tsx'
import { TickList } from '#pwa/ui/list.tsx'
import { Stat } from '#pwa/ui/stat.tsx'
import { coachingChoices as choices, coachingApplicationLabels as labels } from '#shared/contract/form-labels.ts'
import type { CoachingApplicationText } from '#shared/contract/texts/coaching-application.ts'
import { EnquiryPage } from './enquiry-page.tsx'

const applicationForm: QueuedFormDefinition = {
  kind: 'coaching-application',
  loadContract: async () => ({
    schema: (await loadFile(() => import('#shared/contract/coaching.ts'))).CoachingApplicationForm,
  }),
  sent: {
    title: 'Application Submitted!',
    description: "Thank you for your interest. We'll be in touch within 24 hours to discuss next steps.",
  },
  failed: () => ({
    title: 'Error',
    description: 'There was a problem submitting your application. Please try again.',
  }),
  problem: 'Failed to submit application',
}

export const CoachingApplicationPage = ({ text }: { text: CoachingApplicationText }) => (
  <EnquiryPage
    margin="Coaching"
    heading={text.heading}
    lead={text.lead}
    aside={
      <>
        <div className="enquiry__panel">
          <h2>{text.included.heading}</h2>
          <TickList items={text.included.items} />
        </div>
        <Investment {...text.investment} />
      </>
    }
  >
    <QueuedForm
      form={applicationForm}
      label="Coaching application"
      action="Submit application"
      confirmation={() => <Submitted />}
    >
      {(errors) => <ApplicationFields errors={errors} trades={text.trades} />}
    </QueuedForm>
  </EnquiryPage>
)

function Investment({ heading, note }: CoachingApplicationText['investment']) {
  const { programme, programmeInstalments } = useSiteContent().prices
  return (
    <div className="sheet enquiry__panel enquiry__price">
      <h2>{heading}</h2>
      <Stat figure={programme} label={`or ${programmeInstalments}`} />
      <p className="second">{note}</p>
    </div>
  )
}

const Submitted = () => (
  <div className="enquiry__done">
    <h2>{applicationForm.sent.title}</h2>
    <p>{applicationForm.sent.description}</p>
    <ButtonLink look="line" to="/">
      Back to home
    </ButtonLink>
  </div>
)

type FieldsProps = { errors: FieldErrors }

const ApplicationFields = ({ errors, trades }: FieldsProps & Pick<CoachingApplicationText, 'trades'>) => (
  <>
    <fieldset>
      <legend>You and the business</legend>
      <div className="fields">
        <PersonFields errors={errors} labels={labels} phone="required" />
        <ChoiceField
          className="f3"
          label={<RequiredLabel label={labels.trade} />}
          name="trade"
          choices={trades}
          required
          error={errors.trade}
        />
        <TextField
          className="f3"
          label={labels.businessName}
          name="businessName"
          autoComplete="organization"
          error={errors.businessName}
        />
        <TextField
          className="f3"
          label={labels.yearsInBusiness}
          name="yearsInBusiness"
          inputMode="numeric"
          autoComplete="off"
          error={errors.yearsInBusiness}
        />
        <ChoiceField
          label={labels.currentRevenue}
          name="currentRevenue"
          choices={choices.currentRevenue}
          error={errors.currentRevenue}
        />
      </div>
    </fieldset>
    <GoalFields errors={errors} />
  </>
)

const GoalFields = ({ errors }: FieldsProps) => (
  <fieldset>
    <legend>What you want fixed</legend>
    <div className="fields">
      <TextAreaField
        label={<RequiredLabel label={labels.biggestChallenge} />}
        name="biggestChallenge"
        required
        error={errors.biggestChallenge}
      />
      <TextAreaField label={<RequiredLabel label={labels.goals} />} name="goals" required error={errors.goals} />
      <ChoiceField
        className="f3"
        label={<RequiredLabel label={labels.timeCommitment} />}
        name="timeCommitment"
        choices={choices.timeCommitment}
        required
        error={errors.timeCommitment}
      />
      <ChoiceField
        className="f3"
        label={<RequiredLabel label={labels.investment} />}
        name="investment"
        choices={choices.investment}
        required
        error={errors.investment}
      />
      <ChoiceField label={labels.heardAbout} name="heardAbout" choices={choices.heardAbout} error={errors.heardAbout} />
      <TextAreaField label={labels.additionalInfo} name="additionalInfo" error={errors.additionalInfo} />
    </div>
  </fieldset>
)
