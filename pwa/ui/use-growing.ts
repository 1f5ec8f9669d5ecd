import { useEffect, useRef } from 'react'

/** Makes a long text's field as high as its text in browsers that don't know `field-sizing`. `id` is that of a textarea. */
export function useGrowing(id: string): void {
  const fitted = useRef<string>(undefined)
  // A text that isn't typed, as a draft's, comes with a rendering.
  useEffect(() => {
    const field = fieldToGrow(id)
    if (!field || field.value === fitted.current) return
    fitted.current = field.value
    growToText(field)
  })
  useEffect(() => {
    const field = fieldToGrow(id)
    if (!field) return
    let width = field.clientWidth
    const observer = new ResizeObserver(() => {
      // Its height may be the owner's own.
      if (field.clientWidth === width) return
      width = field.clientWidth
      growToText(field)
    })
    const onInput = () => growToText(field)
    observer.observe(field)
    field.addEventListener('input', onInput)
    return () => {
      observer.disconnect()
      field.removeEventListener('input', onInput)
    }
  }, [id])
}

function fieldToGrow(id: string): (HTMLElement & { value: string }) | null {
  const field = document.getElementById(id)
  return field instanceof HTMLTextAreaElement && !CSS.supports('field-sizing', 'content') ? field : null
}

function growToText(field: HTMLElement) {
  const box = field.parentElement
  // Its box stays as it is meanwhile, or the page would scroll.
  if (box) box.style.minHeight = `${box.offsetHeight}px`
  field.style.height = ''
  field.style.height = `${field.scrollHeight}px`
  if (box) box.style.minHeight = ''
}
