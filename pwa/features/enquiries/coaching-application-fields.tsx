import { ChoiceField } from '#pwa/features/forms/choice-field.tsx'
import type { FieldErrors } from '#pwa/features/forms/field-errors.ts'
import { Needed } from '#pwa/features/forms/needed.tsx'
import { TextAreaField, TextField } from '#pwa/ui/field.tsx'
import { coachingChoices as choices, coachingApplicationLabels as labels } from '#shared/contract/form-words.ts'
import { PersonFields } from './person-fields.tsx'

type Props = { errors: FieldErrors }

/** What the coaching application asks. */
export const CoachingApplicationFields = ({ errors }: Props) => (
  <>
    <fieldset>
      <legend>You and the business</legend>
      <div className="fields">
        <PersonFields errors={errors} labels={labels} phone="required" />
        <ChoiceField
          className="f3"
          label={<Needed label={labels.trade} />}
          name="trade"
          choices={choices.trade}
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

const GoalFields = ({ errors }: Props) => (
  <fieldset>
    <legend>What you want put right</legend>
    <div className="fields">
      <TextAreaField
        label={<Needed label={labels.biggestChallenge} />}
        name="biggestChallenge"
        rows={4}
        required
        error={errors.biggestChallenge}
      />
      <TextAreaField label={<Needed label={labels.goals} />} name="goals" rows={4} required error={errors.goals} />
      <ChoiceField
        className="f3"
        label={<Needed label={labels.timeCommitment} />}
        name="timeCommitment"
        choices={choices.timeCommitment}
        required
        error={errors.timeCommitment}
      />
      <ChoiceField
        className="f3"
        label={<Needed label={labels.investment} />}
        name="investment"
        choices={choices.investment}
        required
        error={errors.investment}
      />
      <ChoiceField label={labels.heardAbout} name="heardAbout" choices={choices.heardAbout} error={errors.heardAbout} />
      <TextAreaField label={labels.additionalInfo} name="additionalInfo" rows={3} error={errors.additionalInfo} />
    </div>
  </fieldset>
)
