import { Editor } from '@tiptap/core'
import { Image } from '@tiptap/extension-image'
import { StarterKit } from '@tiptap/starter-kit'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { InnerForm, LinkForm } from '#pwa/features/admin/kit/forms/link-form.tsx'
import { readPasted } from '#pwa/lib/pasted.ts'
import { TextField } from '#pwa/ui/field.tsx'
import { isOwnPath } from '#shared/rules/link-target.ts'

import { PictureButton, type StoredPicture } from './picture.tsx'

type Props = { readInitial: () => string; onChange: (html: string) => void }

/** Offers only what the server’s sanitiser keeps. */
const extensions = [
  StarterKit.configure({
    heading: { levels: [2, 3, 4] },
    underline: false,
    strike: false,
    trailingNode: false,
    link: { openOnClick: false, autolink: false, protocols: ['http', 'https', 'mailto'], HTMLAttributes: bareLink() },
  }),
  Image.configure({ inline: false, allowBase64: false }),
]

function bareLink() {
  return { target: null, rel: null, class: null }
}

type Told = { onTold: (sentence: string) => void }

function createEditor(element: HTMLElement, { readInitial, onChange, onTold }: Props & Told): Editor {
  return new Editor({
    element,
    extensions,
    content: readInitial(),
    injectCSS: false,
    editorProps: {
      // What's typed stays clear of the buttons above and the bar below.
      scrollThreshold: { top: 160, bottom: 160, left: 0, right: 0 },
      scrollMargin: { top: 170, bottom: 170, left: 0, right: 0 },
      attributes: { 'aria-label': 'Content', 'aria-multiline': 'true', role: 'textbox', class: 'prose postform__text' },
      transformPastedHTML: (pasted) => {
        const { html, told } = readPasted(pasted)
        onTold(told)
        return html
      },
    },
    onUpdate: ({ editor }) => onChange(editor.isEmpty ? '' : editor.getHTML()),
  })
}

/** A chunk of its own: it outweighs all the page’s other scripts. */
export default function PostEditor(props: Props) {
  const box = useRef<HTMLDivElement>(null)
  const [editor, setEditor] = useState<Editor | null>(null)
  const [, setTurn] = useState(0)
  const [told, setTold] = useState('')
  const open = useEffectEvent((element: HTMLElement) => createEditor(element, { ...props, onTold: setTold }))
  useEffect(() => {
    if (!box.current) return
    const made = open(box.current)
    // Draw again, so that the buttons show what’s at the cursor.
    made.on('transaction', () => setTurn((turn) => turn + 1))
    setEditor(made)
    return () => made.destroy()
  }, [])
  return (
    <div className="postform__editor">
      {editor && <Tools editor={editor} />}
      <p role="status">{told && <b>{told}</b>}</p>
      <div ref={box} />
    </div>
  )
}

type Tool = { label: string; isOn?: (editor: Editor) => boolean; act: (editor: Editor) => void }

const heading = (level: 2 | 3, label: string): Tool => ({
  label,
  isOn: (editor) => editor.isActive('heading', { level }),
  act: (editor) => editor.chain().focus().toggleHeading({ level }).run(),
})

const tools: readonly Tool[] = [
  heading(2, 'Heading'),
  heading(3, 'Subheading'),
  { label: 'Bold', isOn: is('bold'), act: (editor) => editor.chain().focus().toggleBold().run() },
  { label: 'Italic', isOn: is('italic'), act: (editor) => editor.chain().focus().toggleItalic().run() },
  {
    label: 'List',

    isOn: is('bulletList'),
    act: (editor) => editor.chain().focus().toggleBulletList().run(),
  },
  {
    label: 'Numbers',

    isOn: is('orderedList'),
    act: (editor) => editor.chain().focus().toggleOrderedList().run(),
  },
  {
    label: 'Quote',

    isOn: is('blockquote'),
    act: (editor) => editor.chain().focus().toggleBlockquote().run(),
  },
  { label: 'Line', act: (editor) => editor.chain().focus().setHorizontalRule().run() },
  { label: 'Undo', act: (editor) => editor.chain().focus().undo().run() },
  { label: 'Redo', act: (editor) => editor.chain().focus().redo().run() },
]

function is(name: string) {
  return (editor: Editor) => editor.isActive(name)
}

function Tools({ editor }: { editor: Editor }) {
  const [asked, setAsked] = useState<'link' | 'picture' | null>(null)
  return (
    <>
      <div className="postform__tools texttools" role="toolbar" aria-label="Content">
        {tools.map(({ label, isOn, act }) => (
          <ToolButton key={label} label={label} isOn={isOn?.(editor)} onPress={() => act(editor)} />
        ))}
        <ToolButton label="Link" isOn={editor.isActive('link')} onPress={() => setAsked('link')} />
        <ToolButton label="Picture" onPress={() => setAsked('picture')} />
      </div>
      {asked === 'link' && (
        <LinkForm
          begin={String(editor.getAttributes('link').href ?? '')}
          onLink={(href) => link(editor, href)}
          onClose={() => setAsked(null)}
        />
      )}
      {asked === 'picture' && <PictureForm editor={editor} onClose={() => setAsked(null)} />}
    </>
  )
}

type ToolButtonProps = { label: string; isOn?: boolean; onPress: () => void }

const ToolButton = ({ label, isOn, onPress }: ToolButtonProps) => (
  // Keep the focus in the text. Moving it and giving it back would lose letters typed in between.
  <button type="button" aria-pressed={isOn} onMouseDown={(event) => event.preventDefault()} onClick={onPress}>
    {label}
  </button>
)

/** One’s own path: uploaded here, or typed. */
function PictureForm({ editor, onClose }: { editor: Editor; onClose: () => void }) {
  const [address, setAddress] = useState('')
  const [alt, setAlt] = useState('')
  const [stored, setStored] = useState<StoredPicture | null>(null)
  const [error, setError] = useState<string>()
  const apply = () => {
    const src = address.trim()
    if (!isOwnPath(src)) return setError(`That won’t work. ${pictureHint}`)
    editor
      .chain()
      .focus()
      .setImage({ src, alt, ...(stored?.address === src ? sizeOf(stored) : {}) })
      .run()
    onClose()
  }
  return (
    <InnerForm onApply={apply} onClose={onClose}>
      <TextField
        autoFocus
        label="Picture address"
        hint={pictureHint}
        value={address}
        error={error}
        onChange={({ target }) => setAddress(target.value)}
      />
      <PictureFields
        alt={alt}
        onAlt={setAlt}
        onStored={(picture) => {
          setStored(picture)
          setAddress(picture.address)
        }}
      />
    </InnerForm>
  )
}

const pictureHint = 'Upload one, or give its address on this site, such as /pictures/workshop.jpg.'

function link(editor: Editor, href: string): void {
  const chosen = editor.chain().focus().extendMarkRange('link')
  if (href === '') chosen.unsetLink().run()
  // Without marked words, the address is what’s read.
  else if (editor.state.selection.empty && !editor.isActive('link'))
    editor
      .chain()
      .focus()
      .insertContent({ type: 'text', text: href, marks: [{ type: 'link', attrs: { href } }] })
      .run()
  else chosen.setLink({ href }).run()
}

type PictureProps = { alt: string; onAlt: (alt: string) => void; onStored: (picture: StoredPicture) => void }

const PictureFields = ({ alt, onAlt, onStored }: PictureProps) => (
  <>
    <PictureButton label="Upload a picture" onStored={onStored} />
    <TextField
      label="What it shows, for people who can’t see it"
      value={alt}
      onChange={({ target }) => onAlt(target.value)}
    />
  </>
)

const sizeOf = ({ width, height }: StoredPicture) =>
  width === undefined || height === undefined ? {} : { width, height }
