/**
 * The page around Swagger UI. The service itself serves all scripts and styles, and the page contains none inline.
 * So the content security policy can forbid everything else. Keys that a reader types in go only to this service.
 */

/** Swagger UI draws its icons from `data:` URIs and offers responses for download as `blob:` URLs. */
export const REFERENCE_CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data: blob:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export const referencePage = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Billwright API reference</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="/docs/swagger-ui.css">
    <link rel="stylesheet" href="/docs/reference.css">
  </head>
  <body>
    <header class="masthead">
      <strong>Billwright</strong>
      <span>API reference</span>
      <a href="/openapi.json">openapi.json</a>
    </header>
    <main id="reference"></main>
    <noscript>The reference needs JavaScript. The same is in <a href="/openapi.json">openapi.json</a>.</noscript>
    <script src="/docs/swagger-ui-bundle.js"></script>
    <script src="/docs/reference.js"></script>
  </body>
</html>
`;

export const referenceScript = `SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  filter: true,
  persistAuthorization: true,
  tryItOutEnabled: true,
  validatorUrl: null,
});
`;

export const referenceStyle = `:root {
  --ink: #1d2733;
  --muted: #5b6875;
  --line: #dfe4ea;
  --paper: #f7f8fa;
  --accent: #1f5f8b;
}
body {
  margin: 0;
  background: var(--paper);
  color: var(--ink);
}
.masthead {
  display: flex;
  align-items: baseline;
  gap: 0.75rem;
  padding: 0.9rem max(1.25rem, calc((100vw - 1420px) / 2));
  background: var(--ink);
  color: #fff;
  font: 1rem/1.4 system-ui, sans-serif;
}
.masthead strong {
  font-size: 1.2rem;
  letter-spacing: 0.01em;
}
.masthead span {
  opacity: 0.75;
}
.masthead a {
  margin-left: auto;
  color: inherit;
}
.swagger-ui .info {
  margin: 2rem 0 1.5rem;
}
.swagger-ui .info .title {
  color: var(--ink);
}
.swagger-ui .info hgroup > a {
  display: none;
}
.swagger-ui .info li {
  line-height: 1.6;
}
.swagger-ui .info code {
  color: var(--accent);
}
.swagger-ui .info summary {
  color: var(--accent);
  cursor: pointer;
  font: 600 14px/1.6 system-ui, sans-serif;
}
.swagger-ui .info .markdown table {
  max-width: 60rem;
}
.swagger-ui .info .markdown table td {
  padding: 0.25rem 1rem 0.25rem 0;
  vertical-align: top;
}
.swagger-ui .scheme-container {
  background: #fff;
  border: 1px solid var(--line);
  border-radius: 6px;
  box-shadow: none;
  margin: 0 20px 1rem;
  padding: 1rem 0;
}
.swagger-ui .opblock {
  border-radius: 6px;
  box-shadow: none;
}
.swagger-ui .opblock-tag {
  border-bottom-color: var(--line);
  color: var(--ink);
}
.swagger-ui .opblock-tag small {
  color: var(--muted);
}
.swagger-ui .btn.authorize {
  border-color: var(--accent);
  color: var(--accent);
}
.swagger-ui .btn.authorize svg {
  fill: var(--accent);
}
.swagger-ui .btn.execute {
  background: var(--accent);
  border-color: var(--accent);
}
.swagger-ui .response-col_links {
  display: none;
}
.problem main {
  max-width: 44rem;
  margin: 0 auto;
  padding: 1.5rem 1.25rem;
  font: 1rem/1.6 system-ui, sans-serif;
}
.problem h1 {
  font-size: 1.5rem;
  line-height: 1.3;
}
.problem h2 {
  margin: 1.5rem 0 0;
  font-size: 1.05rem;
}
.problem p {
  margin: 0.4rem 0;
}
.problem code {
  color: var(--accent);
  overflow-wrap: anywhere;
}
`;
