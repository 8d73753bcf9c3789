/** What the window shows when its page cannot be kept alive. Plain HTML: whatever broke the page must not break this. */
import { PAGE_URL } from "./page-address";

export const CRASH_PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="color-scheme" content="dark light">
    <title>TOPAS Desktop: the window stopped</title>
    <style>
      body { font: 13px/20px Inter, system-ui, sans-serif; max-width: 520px; margin: 20vh auto; padding: 0 24px; }
      h1 { font-size: 20px; line-height: 28px; }
    </style>
  </head>
  <body>
    <h1>The window's page crashed twice in a row</h1>
    <p>The server is not touched by this: requests are still answered. Only the drawing stopped.</p>
    <p><a href="${PAGE_URL}">Load the page again</a>. If that does not help, quit the app and start it once more; on a
    machine with a faulty graphics driver start it with <code>--disable-gpu</code>.</p>
  </body>
</html>
`;
