import { useAdminAction } from '#pwa/features/admin/use-admin-action.ts'
import { api } from '#pwa/lib/api.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { Done } from '#shared/contract/auth.ts'
import type { TodayEmailReport } from '#shared/contract/today.ts'
import { formatMoment } from '#shared/rules/london.ts'
import { DayPart, DayRow } from './part.tsx'

/** An owner changed a member’s email address, and the person at the old one reported that they hadn’t asked for it. */
export const EmailReportsPart = ({ reports }: { reports: TodayEmailReport[] }) => (
  <DayPart title="Email changes" count={reports.length} tone="bad">
    {reports.map((report) => (
      <ReportRow key={`${report.memberId} ${report.before}`} {...report} />
    ))}
  </DayPart>
)

function ReportRow({ memberId, name, email, before, at }: TodayEmailReport) {
  const { mutate, isPending, variables, problem } = useAdminAction({
    schema: Done,
    send: (keeps: boolean) => api.api.admin.members({ memberId })['email-report'].post({ keeps }),
    failure: 'We couldn’t save your decision',
    done: { title: 'Decided', description: 'We’ll send them login emails again.' },
  })
  return (
    <DayRow
      title={`${name} says the email change wasn’t theirs`}
      target={{ memberId }}
      aside={
        <span className="acts">
          <Button isSmall look="line" isBusy={isPending && variables} onClick={() => mutate(true)}>
            Keep new address
          </Button>
          <Button isSmall look="line" isBusy={isPending && !variables} onClick={() => mutate(false)}>
            Restore old address
          </Button>
        </span>
      }
    >
      {`New: ${email}. Old: ${before}. Sent from the old address on ${formatMoment(at)}. Ring them first. Until you decide, we won’t send password links or codes. Restoring the old address logs everyone out.`}
      {problem && <Banner tone="bad" role="alert" title={problem} />}
    </DayRow>
  )
}
