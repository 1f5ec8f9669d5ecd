import { useToast } from '#pwa/ui/toast.tsx'

/** Copies a link. A toast says whether the browser let us. */
export function useCopy() {
  const toast = useToast()
  return (link: string) =>
    navigator.clipboard.writeText(link).then(
      () => toast({ title: 'Copied', tone: 'ok' }),
      () => toast({ title: 'We couldn’t copy it. Select the link and copy it yourself.', tone: 'bad' }),
    )
}
