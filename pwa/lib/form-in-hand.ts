/** Marks each form as somebody types in it; the mark goes when the form does. */
export const watchForms = () => {
  document.addEventListener('input', ({ target }) => {
    if (target instanceof Element) target.closest('form')?.setAttribute('data-touched', '')
  })
}

/** Whether a reload would lose something: a form that was typed in, or one with a card field of another site. */
export const isFormInHand = () => document.querySelector('form[data-touched], form iframe') !== null
