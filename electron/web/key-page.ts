/** Asks for the server's key in a browser that has not shown it yet. */
const title = "TOPAS Desktop";

export const keyPage = {
  headers: {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy":
      "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
  },
  body: (wasWrong: boolean) => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>${title}</title>
<style>
  :root { color-scheme: light dark; font: 14px/1.5 system-ui, sans-serif }
  body { max-width: 28rem; margin: 15vh auto; padding: 0 1rem }
  input, button { font: inherit; padding: .4rem .6rem }
</style>
<h1>${title}</h1>
<p>${wasWrong ? "That is not the key of this server." : "This server has an API key: the one it was started with."}</p>
<form action="/ui/" method="get">
  <label>API key <input name="key" type="password" autocomplete="current-password" required autofocus></label>
  <button>Show</button>
</form>
</html>
`,
};
