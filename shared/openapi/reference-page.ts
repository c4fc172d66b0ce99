/**
 * Keys that a reader enters can only be sent to this service. Swagger UI draws icons from `data:` URIs, and offers
 * responses for download as `blob:` URLs.
 */
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
      <nav>
        <a href="#guides">Guides</a>
        <a href="#problems">Problems</a>
        <a href="/openapi.json">openapi.json</a>
      </nav>
    </header>
    <div id="reference"></div>
    <noscript>The reference needs JavaScript. The same information is in <a href="/openapi.json">openapi.json</a>.</noscript>
    <script src="/docs/swagger-ui-bundle.js"></script>
    <script src="/docs/reference.js"></script>
  </body>
</html>
`;
