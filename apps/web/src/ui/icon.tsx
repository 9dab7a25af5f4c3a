import type { JSX, ReactNode } from 'react';

const icons = {
  card: <path d="M1.5 3.5h13v9h-13zM1.5 6.5h13M4 10h3" />,
  chart: <path d="M2 13.5v-6M6 13.5v-11M10 13.5v-4M14 13.5v-8" />,
  chat: <path d="M1.5 2.5h10v7H6l-2.5 2v-2h-2zM13 6h1.5v6.5h-1.7v1.8l-2.2-1.8H7" />,
  check: <path d="M3 8.5l3.2 3.2L13 5" />,
  code: <path d="M5.5 4L1.8 8l3.7 4M10.5 4l3.7 4-3.7 4" />,
  comment: <path d="M2 3h12v8.2H7.6L4.4 13.8v-2.6H2z" />,
  copy: <path d="M5.5 5.5h8v8h-8zM10.5 5.2V2.5h-8v8h2.7" />,
  download: <path d="M8 2v8M4.8 7L8 10.2 11.2 7M2.5 13.5h11" />,
  down: <path d="M3.5 6l4.5 4.5L12.5 6" />,
  external: <path d="M6.5 3H3v10h10V9.5M9 2.5h4.5V7M13 3L7.5 8.5" />,
  extension: <path d="M2 5.5h3.2a1.9 1.9 0 1 1 3.6 0H12v3.2a1.9 1.9 0 1 0 0 3.1v2.7H2z" />,
  eye: (
    <>
      <path d="M1.2 8C2.7 5.2 5.1 3.5 8 3.5S13.3 5.2 14.8 8c-1.5 2.8-3.9 4.5-6.8 4.5S2.7 10.8 1.2 8z" />
      <circle cx="8" cy="8" r="2" />
    </>
  ),
  filter: (
    <>
      <path d="M1.5 4.5h7M12.5 4.5h2M1.5 11.5h2M7.5 11.5h7" />
      <circle cx="10.5" cy="4.5" r="2" />
      <circle cx="5.5" cy="11.5" r="2" />
    </>
  ),
  heart: (
    <path d="M8 13.4C4.6 10.9 1.8 8.7 1.8 5.9 1.8 4 3.2 2.7 4.9 2.7c1.3 0 2.4.7 3.1 1.9.7-1.2 1.8-1.9 3.1-1.9 1.7 0 3.1 1.3 3.1 3.2 0 2.8-2.8 5-6.2 7.5z" />
  ),
  keyboard: <path d="M1.5 4h13v8.5h-13zM4 6.8h.01M6.6 6.8h.01M9.3 6.8h.01M12 6.8h.01M5 9.8h6" />,
  left: <path d="M10 3.5L5.5 8l4.5 4.5" />,
  mail: <path d="M1.5 3.5h13v9h-13zM1.8 4l6.2 5 6.2-5" />,
  menu: <path d="M2 4.5h12M2 8h12M2 11.5h12" />,
  play: <path d="M5 3l8 5-8 5z" />,
  pencil: <path d="M2.5 13.5l.7-3L10.8 3l2.2 2.2-7.5 7.6zM9.2 4.6l2.2 2.2" />,
  panel: <path d="M2 3h12v10H2zM6 3v10" />,
  refresh: <path d="M13 8A5 5 0 1 1 11.4 4.3M13.2 2v3.4H9.8" />,
  right: <path d="M6 3.5L10.5 8 6 12.5" />,
  save: <path d="M4 2.2h8v11.6l-4-3.2-4 3.2z" />,
  search: (
    <>
      <path d="M11 11l3.5 3.5" />
      <circle cx="7" cy="7" r="4.75" />
    </>
  ),
  sortDown: <path d="M4.5 2.5v11M2 11l2.5 2.5L7 11M9 3.5h5.5M9 7.5h4M9 11.5h2.5" />,
  sortUp: <path d="M4.5 13.5v-11M2 5l2.5-2.5L7 5M9 12.5h5.5M9 8.5h4M9 4.5h2.5" />,
  star: <path d="M8 1.9l1.9 3.9 4.2.6-3 3 .7 4.2L8 11.6l-3.8 2 .7-4.2-3-3 4.2-.6z" />,
  tag: <path d="M2 2.5h5.5l6.5 6.5-5 5L2.5 7.5zM5 5.2v.6" />,
  theme: (
    <>
      <circle cx="8" cy="8" r="5.75" />
      <path d="M8 2.25a5.75 5.75 0 0 1 0 11.5z" fill="currentColor" />
    </>
  ),
  trash: <path d="M2.5 4.5h11M6 4.2V2.5h4v1.7M4 4.5l.6 9h6.8l.6-9" />,
  trades: <path d="M2 5.2h11M10 2.2l3 3-3 3M14 10.8H3M6 7.8l-3 3 3 3" />,
  up: <path d="M3.5 10L8 5.5l4.5 4.5" />,
  upload: <path d="M8 10.5V2.5M4.8 5.7L8 2.5l3.2 3.2M2.5 13.5h11" />,
  user: (
    <>
      <circle cx="8" cy="5" r="3" />
      <path d="M2.5 14c.6-3 2.7-4.5 5.5-4.5s4.9 1.5 5.5 4.5" />
    </>
  ),
  warn: <path d="M8 1.8l6.6 11.9H1.4zM8 6.2v3.6M8 11.1v1.3" />,
  wrap: <path d="M2 3.5h12M2 8h9.5a2.5 2.5 0 0 1 0 5H8M10 10.8L7.8 13l2.2 2.2M2 12.5h3" />,
  x: <path d="M4 4l8 8M12 4l-8 8" />,
} as const satisfies Record<string, ReactNode>;

export type IconName = keyof typeof icons;

export type IconProps = Readonly<{ name: IconName; small?: boolean; className?: string }>;

export const Icon = ({ name, small = false, className = '' }: IconProps): JSX.Element => (
  <svg className={`icon ${small ? 'icon--sm' : ''} ${className}`} viewBox="0 0 16 16" aria-hidden="true">
    {icons[name]}
  </svg>
);
