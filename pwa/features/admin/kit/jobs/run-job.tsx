import { useAdminAction } from '#pwa/features/admin/kit/use-admin-action.ts'
import { api } from '#pwa/lib/api.ts'
import { messageOf } from '#pwa/lib/request-error.ts'
import { Button } from '#pwa/ui/button.tsx'
import { useToast } from '#pwa/ui/toast.tsx'
import { JobRun, type JobState } from '#shared/contract/jobs.ts'
import { purposeOf, waitOf } from './system-texts.ts'

type Props = { job: Pick<JobState, 'name'>; label: string; name?: string }

/** `name`: the accessible name, if the label isn’t enough. */
export function RunJob({ job, label, name }: Props) {
  const toast = useToast()
  const failure = 'The job failed.'
  const action = useAdminAction({
    schema: JobRun,
    send: () => api.api.admin.jobs({ name: job.name }).run.post({ all: false }),
    failure,
    done: ({ skipped, report }) => {
      if (skipped) return { title: 'It’s already running', description: purposeOf(job) }
      const reason = waitOf(report)
      return reason === null
        ? { title: 'Done', description: purposeOf(job) }
        : { title: 'Waiting', description: reason, duration: 12_000 }
    },
    onFailure: (error) => toast({ title: 'Error', description: messageOf(error, failure), tone: 'bad' }),
  })
  return (
    <Button
      look="line"
      isSmall
      isBusy={action.isPending}
      busyLabel="Running…"
      aria-label={name}
      onClick={() => action.mutate()}
    >
      {label}
    </Button>
  )
}
