/** The gem in the corner: the only thing in the window that is gold. */
export function Gem() {
  return (
    <svg viewBox="0 0 20 20" className="size-5 flex-none" aria-hidden="true">
      <path d="M5.5 3h9L18 8H2z" fill="#F6C75A" />
      <path d="M5.5 3 7.5 8H2z" fill="#E8A93A" />
      <path d="M14.5 3 12.5 8H18z" fill="#C97F22" />
      <path d="M2 8h5.5L10 18z" fill="#D98F2B" />
      <path d="M7.5 8h5L10 18z" fill="#F0AE3F" />
      <path d="M18 8h-5.5L10 18z" fill="#A9651A" />
    </svg>
  );
}
