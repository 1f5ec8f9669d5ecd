import { useMutation } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import * as v from 'valibot'
import { RequestError } from '#pwa/lib/request-error.ts'
import { messagesByField } from '#shared/contract/fields.ts'
import { isControl, useFieldErrors } from './use-field-errors.ts'

type Options<Schema extends v.GenericSchema, Response> = {
  schema: Schema
  /** Gets only what the schema accepts. */
  send: (accepted: v.InferOutput<Schema>) => Promise<Response>
  onDone: (response: Response, sent: v.InferOutput<Schema>) => void
  onFail: (error: Error) => void
}

export function useValidatedForm<Schema extends v.GenericSchema, Response>(options: Options<Schema, Response>) {
  const { schema, send, onDone, onFail } = options
  const { errors, showErrors, clearError, clearErrors } = useFieldErrors()
  const { mutate, isPending } = useMutation({ mutationFn: send })

  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (isPending) return
    const form = event.currentTarget
    const read = v.safeParse(schema, Object.fromEntries(new FormData(form)))
    if (!read.success) return showErrors(form, messagesByField(read.issues))
    clearErrors()
    mutate(read.output, {
      onSuccess: onDone,
      onError: (error) => {
        if (error instanceof RequestError) showErrors(form, error.fields)
        onFail(error)
      },
    })
  }
  const onInput = ({ target }: FormEvent<HTMLFormElement>) => {
    if (isControl(target)) clearError(target.name)
  }
  return { form: { onSubmit, onInput, noValidate: true }, errors, isBusy: isPending }
}
