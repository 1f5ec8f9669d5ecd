import { useToast } from '#pwa/ui/toast.tsx'

export type SectionName = 'status' | 'method' | 'address' | 'invoices'

/** The id of a section's heading, which takes the focus when the focused button disappears. */
export const sectionId = (name: SectionName) => `billing-${name}`

/** A closing dialog returns the focus to the button that opened it, so the section has to wait for that. */
export function focusSection(name: SectionName): void {
  if (document.querySelector('dialog[open]')) setTimeout(() => focusSection(name), 16)
  else document.getElementById(sectionId(name))?.focus()
}

export function useReportDone() {
  const toast = useToast()
  return (title: string, description: string, section: SectionName = 'status') => {
    toast({ title, description, tone: 'ok' })
    setTimeout(() => focusSection(section))
  }
}
