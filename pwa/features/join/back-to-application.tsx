import { Icon } from '#pwa/ui/icon.tsx'
import { TextLink } from '#pwa/ui/link.tsx'

/** Back to step 1, with everything still filled in. */
export const BackToApplication = ({ onBack }: { onBack: () => void }) => (
  <TextLink
    isTap
    className="purchase__back"
    to="/membership-application"
    onClick={(event) => {
      event.preventDefault()
      onBack()
    }}
  >
    <Icon name="back" />
    Back to application
  </TextLink>
)
