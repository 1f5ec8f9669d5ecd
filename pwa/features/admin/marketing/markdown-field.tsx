import { useRef, useState } from 'react'
import { type FormPart, textField } from '#pwa/features/admin/kit/forms/form-parts.tsx'
import { LinkForm } from '#pwa/features/admin/kit/forms/link-form.tsx'
import { writeField } from '#pwa/features/admin/kit/forms/use-written-field.ts'
import { RequiredLabel } from '#pwa/features/forms/form-fields.tsx'
import { TextAreaField, type TextAreaFieldProps } from '#pwa/ui/field.tsx'
import './markdown-field.css'

const hint = 'Leave an empty line between paragraphs. Select some words and press a button above.'

export const startsWithHello = 'It starts with “Hello” and their name.'

/** `before` and `after` go round what’s marked, or `before` goes in front of each of its lines. */
type Tool = { label: string; sample: string; before: string; after?: string }

const tools: readonly Tool[] = [
  { label: 'Bold', sample: 'words', before: '**', after: '**' },
  { label: 'Heading', sample: 'Heading', before: '## ' },
  { label: 'List', sample: 'First point', before: '- ' },
]

/** The text of an announcement or an email, with buttons for what its Markdown offers. */
export function MarkdownField({ hint: more, ...props }: Omit<TextAreaFieldProps, 'label'>) {
  const field = useRef<HTMLTextAreaElement>(null)
  const [isLinking, setLinking] = useState(false)
  return (
    <div className="markdown">
      <div className="texttools" role="toolbar" aria-label="Format">
        {tools.map((tool) => (
          <ToolButton key={tool.label} label={tool.label} onPress={() => field.current && apply(field.current, tool)} />
        ))}
        <ToolButton label="Link" onPress={() => setLinking(true)} />
      </div>
      {isLinking && (
        <LinkForm
          onLink={(address) => field.current && link(field.current, address)}
          onClose={() => setLinking(false)}
        />
      )}
      <TextAreaField
        ref={field}
        required
        {...props}
        label={<RequiredLabel label="Text" />}
        name="text"
        hint={more ? `${hint} ${more}` : hint}
      />
    </div>
  )
}

/** The form’s part, drawn with the buttons. */
export const markdownField = (props: Omit<TextAreaFieldProps, 'label'> = {}): FormPart => ({
  ...textField('text', 'Text', {}),
  draw: ({ values, errors }) => <MarkdownField {...props} defaultValue={values.text} error={errors.text} />,
})

const ToolButton = ({ label, onPress }: { label: string; onPress: () => void }) => (
  // Keep the focus in the text, or the marked words are lost on a phone.
  <button type="button" onMouseDown={(event) => event.preventDefault()} onClick={onPress}>
    {label}
  </button>
)

/** Leaves the words marked, so that the next key replaces them. */
function apply(field: HTMLTextAreaElement, { sample, before, after }: Tool) {
  const { value, selectionStart, selectionEnd } = field
  const isOfLines = after === undefined
  const from = isOfLines ? value.lastIndexOf('\n', selectionStart - 1) + 1 : selectionStart
  const to = isOfLines ? lineEnd(value, selectionEnd) : selectionEnd
  const words = value.slice(from, to) || sample
  const text = isOfLines ? words.replace(/^/gm, before) : `${before}${words}${after}`
  writeField(field, `${value.slice(0, from)}${text}${value.slice(to)}`)
  field.focus()
  field.setSelectionRange(from + before.length, from + text.length - (after?.length ?? 0))
}

/** The marked words become the link. Without any, what’s read is the address, marked for other words. */
function link(field: HTMLTextAreaElement, address: string) {
  const { value, selectionStart: from, selectionEnd: to } = field
  const words = value.slice(from, to) || address.replace(/^(https:\/\/|mailto:|tel:)/, '')
  writeField(field, `${value.slice(0, from)}[${words}](${address})${value.slice(to)}`)
  field.focus()
  field.setSelectionRange(from + 1, from + 1 + words.length)
}

function lineEnd(value: string, at: number): number {
  const end = value.indexOf('\n', at)
  return end < 0 ? value.length : end
}
