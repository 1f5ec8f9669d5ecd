import { useToast } from '#pwa/ui/toast.tsx'

export type SectionName = 'status' | 'method' | 'address' | 'invoices'

/** The id of the heading of a section, which takes the focus when the button that had it goes away. */
export const sectionId = (name: SectionName) => `billing-${name}`

/** A dialog that closes gives the focus back to the button that opened it, so the section has to wait for that. */
export function focusSection(name: SectionName): void {
  if (document.querySelector('dialog[open]')) setTimeout(() => focusSection(name), 16)
  else document.getElementById(sectionId(name))?.focus()
}

/** Tells the member that an action is done, and puts the focus on the section that shows its result. */
export function useReportDone() {
  const toast = useToast()
  return (title: string, description: string, section: SectionName = 'status') => {
    toast({ title, description, tone: 'ok' })
    setTimeout(() => focusSection(section))
  }
}
