/** On the site's 24 grid and line. Only owners load them. */
const paths = {
  today: 'M4 5h16v15H4zM4 10h16M8 3v4M16 3v4M8.5 15l2.5 2.5 4.5-5',
  members:
    'M9 11.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2.5 20v-1.5q0-4 4-4h5q4 0 4 4V20M16 5a3.3 3.3 0 0 1 0 6.4M18 14.7q3.5.4 3.5 3.8V20',
  inbox: 'M3 5h18v14H3zM3 13h5l1.5 2.5h5L16 13h5',
  calendar: 'M4 5h16v15H4zM4 10h16M8 3v4M16 3v4M8 14h2M14 14h2',
  money: 'M16.5 7Q15.5 4.5 12.5 4.5 9 4.5 9 8.5q0 2 .5 3.5.5 4-2.5 7.5h10M6.5 12.5h7.5',
  videos: 'M3 5h18v14H3zM10 9l5 3-5 3z',
  site: 'M5 3h10l4 4v14H5zM15 3v4h4M8.5 11h7M8.5 14h7M8.5 17h4',
  marketing: 'M4 10v4h3l9 5V5l-9 5zM19 10q1.5 2 0 4M7 14l1.5 6H11l-1-4.5',
  settings: 'M4 7h9M17 7h3M15 4.5v5M4 17h3M11 17h9M9 14.5v5M4 12h14',
  more: 'M5 12h.1M12 12h.1M19 12h.1',
}

export const PlaceIcon = ({ name }: { name: keyof typeof paths }) => (
  <svg className="i" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
    <path d={paths[name]} />
  </svg>
)
