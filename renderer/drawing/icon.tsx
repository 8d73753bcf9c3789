/** The window's icons on a grid of 16, one for each state and action. Drawn in the colour of the text around them. */
const SHAPES = {
  running: <path className="fill-current stroke-none" d="M4.8 2.9v10.2l8.4-5.1z" strokeLinejoin="round" />,
  prefill: <path d="M2.8 4h10.4M2.8 8h10.4M2.8 12h5.6" />,
  waiting: (
    <>
      <circle cx="8" cy="8" r="5.6" />
      <path d="M8 4.8V8l2.2 1.5" />
    </>
  ),
  locked: (
    <>
      <rect x="3.4" y="7" width="9.2" height="6.6" rx="1.5" />
      <path d="M5.4 7V5a2.6 2.6 0 0 1 5.2 0v2" />
    </>
  ),
  next: <path d="M2.5 8H4M6.4 8h1.5M10.3 8h3M10.4 4.9 13.5 8l-3.1 3.1" />,
  done: <path d="m2.9 8.6 3.3 3.2 6.9-7.3" />,
  warm: (
    <path d="M8 14.2c2.5 0 4.4-1.9 4.4-4.4 0-2.9-2.7-4.4-3.2-7.9-2.3 1.3-2.8 3.3-2.6 4.8-.8-.4-1.1-1-1.2-1.7C4.2 6.2 3.6 7.9 3.6 9.8c0 2.5 1.9 4.4 4.4 4.4z" />
  ),
  held: <path d="M5.6 3.5v9M10.4 3.5v9" />,
  cold: <circle cx="8" cy="8" r="5" />,
  fork: <path d="M5 13.5V2.5M5 8.7c0-3.2 6-1.7 6-5.9M8.7 5 11 2.6 13.3 5" />,
  copy: (
    <>
      <rect x="5.6" y="5.6" width="7.6" height="8" rx="1.5" />
      <path d="M10.4 5.6V4a1.5 1.5 0 0 0-1.5-1.5H4.4A1.5 1.5 0 0 0 2.9 4v5a1.5 1.5 0 0 0 1.5 1.5h1.2" />
    </>
  ),
  open: <path d="m3.5 6 4.5 4.5L12.5 6" />,
  record: (
    <>
      <circle cx="8" cy="8" r="5.6" />
      <circle className="fill-current stroke-none" cx="8" cy="8" r="2.6" />
    </>
  ),
  more: <path d="M3.5 8v.01M8 8v.01M12.5 8v.01" strokeWidth="2.4" />,
  earlier: <path d="M10 3.5 5.5 8l4.5 4.5" />,
  later: <path d="m6 3.5 4.5 4.5L6 12.5" />,
  up: <path d="M8 13V3.5M3.8 7.5 8 3.2l4.2 4.3" />,
  pin: <path d="M5.5 2.5h5M6.5 2.5v4L4.5 9h7l-2-2.5v-4M8 9v4.5" />,
  pinned: <path className="fill-current" d="M5.5 2.5h5M6.5 2.5v4L4.5 9h7l-2-2.5v-4M8 9v4.5" />,
  close: <path d="m4 4 8 8M12 4l-8 8" />,
  warning: <path d="M8 2.6 14 13H2zM8 6.4v3.1M8 11.3v.01" />,
  file: <path d="M4 2.5h5l3 3v8H4zM9 2.5v3h3" />,
  progress: <path d="M8 2.5A5.5 5.5 0 1 1 2.5 8" />,
  live: <path d="M1.5 8h3l2-5 3 10 2-5h3" />,
  timeline: <path d="M2 4h5M5.5 8h6M9 12h5" />,
  workflows: (
    <>
      <circle cx="3.5" cy="8" r="1.8" />
      <circle cx="12.5" cy="3.8" r="1.8" />
      <circle cx="12.5" cy="12.2" r="1.8" />
      <path d="m5.2 7.2 5.6-2.6M5.2 8.8l5.6 2.6" />
    </>
  ),
  models: <path d="M8 1.8 13.4 5v6L8 14.2 2.6 11V5zM2.8 5.1 8 8.2l5.2-3.1M8 8.2v5.8" />,
  server: (
    <>
      <rect x="2.2" y="2.6" width="11.6" height="4.6" rx="1.2" />
      <rect x="2.2" y="8.8" width="11.6" height="4.6" rx="1.2" />
      <path d="M4.6 4.9v.01M4.6 11.1v.01" />
    </>
  ),
  settings: (
    <>
      <path d="M2 4.5h5.5M11 4.5h3M2 11.5h3M8.5 11.5H14" />
      <circle cx="9.2" cy="4.5" r="1.7" />
      <circle cx="6.8" cy="11.5" r="1.7" />
    </>
  ),
  light: (
    <>
      <circle cx="8" cy="8" r="2.8" />
      <path d="M8 1.8v1.4M8 12.8v1.4M1.8 8h1.4M12.8 8h1.4M3.6 3.6l1 1M11.4 11.4l1 1M12.4 3.6l-1 1M4.6 11.4l-1 1" />
    </>
  ),
  dark: <path d="M13.3 9.5A5.6 5.6 0 0 1 6.5 2.7a5.6 5.6 0 1 0 6.8 6.8z" />,
  system: (
    <>
      <circle cx="8" cy="8" r="5.5" />
      <path className="fill-current stroke-none" d="M8 2.5a5.5 5.5 0 0 1 0 11z" />
    </>
  ),
} as const;

export type IconName = keyof typeof SHAPES;

const SIZES = {
  small: "size-3 [stroke-width:1.75]",
  plain: "size-4 [stroke-width:1.5]",
  rail: "size-5 [stroke-width:1.25]",
} as const;

interface Props {
  readonly name: IconName;
  readonly small?: boolean;
  readonly rail?: boolean;
}

export function Icon({ name, small = false, rail = false }: Props) {
  const size = SIZES[small ? "small" : rail ? "rail" : "plain"];
  return (
    <svg
      viewBox="0 0 16 16"
      aria-hidden="true"
      className={`${size} block flex-none fill-none stroke-current [stroke-linecap:round] [stroke-linejoin:round]`}
    >
      {SHAPES[name]}
    </svg>
  );
}
