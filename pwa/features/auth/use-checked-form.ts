import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import * as v from 'valibot'
import { type FieldErrors, focusFirst, isControl } from '#pwa/features/forms/field-errors.ts'
import { firstSentences } from '#pwa/features/forms/first-sentences.ts'
import { RequestError } from '#pwa/lib/request-error.ts'

type Options<Schema extends v.GenericSchema, Answer> = {
  schema: Schema
  /** Gets only what the schema accepts. */
  send: (accepted: v.InferOutput<Schema>) => Promise<Answer>
  onDone: (answer: Answer, sent: v.InferOutput<Schema>) => void
  onFail: (error: Error) => void
}

/** A form that is checked on this side, sent once, and marks the fields that either side refuses. */
export function useCheckedForm<Schema extends v.GenericSchema, Answer>(options: Options<Schema, Answer>) {
  const { schema, send, onDone, onFail } = options
  const [errors, setErrors] = useState<FieldErrors>({})
  const { mutate, isPending } = useMutation({ mutationFn: send, networkMode: 'always' })

  const mark = (form: HTMLFormElement, found: FieldErrors) => {
    setErrors(found)
    focusFirst(form, found)
  }
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (isPending) return
    const form = event.currentTarget
    const read = v.safeParse(schema, Object.fromEntries(new FormData(form)))
    if (!read.success) return mark(form, firstSentences(read.issues))
    setErrors({})
    mutate(read.output, {
      onSuccess: onDone,
      onError: (error) => {
        if (error instanceof RequestError) mark(form, error.fields)
        onFail(error)
      },
    })
  }
  const onInput = ({ target }: FormEvent<HTMLFormElement>) => {
    if (isControl(target) && errors[target.name]) setErrors({ ...errors, [target.name]: undefined })
  }
  return { form: { onSubmit, onInput, noValidate: true }, errors, isBusy: isPending }
}

/** The server's sentence, or the given one where it had none. */
export const sentenceOf = (error: Error, otherwise: string): string =>
  (error instanceof RequestError ? error.text : undefined) ?? otherwise
