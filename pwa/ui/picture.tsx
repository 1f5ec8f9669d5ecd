type Props = {
  /** Of a file under /pictures, without its ending. */
  name: string
  alt: string
  width: number
  height: number
  /** Seen at once when the page opens. */
  isFirst?: boolean
}

/** One of the site's drawings on its sheet of paper, which is white in both themes. */
export const Picture = ({ name, alt, isFirst, ...size }: Props) => (
  <img
    {...size}
    alt={alt}
    className="picture"
    src={`/pictures/${name}.svg`}
    loading={isFirst ? undefined : 'lazy'}
    fetchPriority={isFirst ? 'high' : undefined}
    decoding="async"
  />
)
