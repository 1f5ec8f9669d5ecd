import { LastingForm } from '#pwa/features/forms/lasting-form.tsx'
import { useSiteContent } from '#pwa/lib/site-content.tsx'
import { ButtonLink } from '#pwa/ui/button.tsx'
import { TickList } from '#pwa/ui/list.tsx'
import { Stat } from '#pwa/ui/stat.tsx'
import type { CoachingApplicationText } from '#shared/contract/texts/coaching-application.ts'
import { CoachingApplicationFields } from './coaching-application-fields.tsx'
import { EnquiryPage } from './enquiry-page.tsx'
import { coachingApplicationKind } from './kinds.ts'

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
    <LastingForm
      form={coachingApplicationKind}
      label="Coaching application"
      action="Submit application"
      confirmation={() => <Submitted />}
    >
      {(errors) => <CoachingApplicationFields errors={errors} />}
    </LastingForm>
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
    <h2>{coachingApplicationKind.sent.title}</h2>
    <p>{coachingApplicationKind.sent.description}</p>
    <ButtonLink look="line" to="/">
      Back to the front page
    </ButtonLink>
  </div>
)
