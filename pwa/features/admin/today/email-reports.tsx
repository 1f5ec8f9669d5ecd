import { DayPart, DayRow } from '#pwa/features/admin/kit/part.tsx'
import { api, parseResponse } from '#pwa/lib/api.ts'
import { Button } from '#pwa/ui/button.tsx'
import { Done } from '#shared/contract/auth.ts'
import type { TodayEmailReport } from '#shared/contract/today.ts'
import { formatMoment } from '#shared/rules/london.ts'
import { reportId } from './today-texts.ts'
import { outliving, useHold } from './use-hold.tsx'

/** An owner changed a member’s email address, and the person at the old one reported that they hadn’t asked for it. */
export const EmailReportsPart = ({ reports }: { reports: TodayEmailReport[] }) => (
  <DayPart title="Email changes" count={reports.length} tone="bad">
    {reports.map((report) => (
      <ReportRow key={reportId(report)} {...report} />
    ))}
  </DayPart>
)

function ReportRow(report: TodayEmailReport) {
  const { memberId, name, email, before, at } = report
  const hold = useHold()
  const decide = (keeps: boolean) =>
    hold({
      id: reportId(report),
      title: keeps ? 'Keeping the new address' : 'Restoring the old address',
      description: name,
      send: () => parseResponse(Done, api.api.admin.members({ memberId })['email-report'].post({ keeps }, outliving)),
      failure: 'We couldn’t save your decision',
    })
  return (
    <DayRow
      title={`${name} says the email change wasn’t theirs`}
      target={{ memberId }}
      aside={
        <span className="acts">
          <Button isSmall look="line" onClick={() => decide(true)}>
            Keep new address
          </Button>
          <Button isSmall look="line" onClick={() => decide(false)}>
            Restore old address
          </Button>
        </span>
      }
    >
      {`New: ${email}. Old: ${before}. They told us from the old address on ${formatMoment(at)}. Ring them first. Until you decide, we won’t send password links or codes. Restoring the old address logs out every device. You can undo either for 8 seconds.`}
    </DayRow>
  )
}
