import { ButtonLink } from '#pwa/ui/button.tsx'
import { pageOf, stateAction } from '#shared/rules/state-line.ts'
import { OpenInvoiceSection } from './invoices/open-invoice.tsx'
import { ResumeDialog } from './membership/cancel-resume-dialog.tsx'
import { useBillingContext } from './use-billing-context.tsx'

export function StateAction() {
  const { billing, actions } = useBillingContext()
  const action = stateAction(billing)
  if (action === null) return null
  switch (action.kind) {
    case 'pay':
      return actions.pay && <OpenInvoiceSection />
    case 'resume':
      return actions.resume && <ResumeDialog />
    default:
      return (
        <ButtonLink to={pageOf(action)} icon="arrow">
          {action.label}
        </ButtonLink>
      )
  }
}
