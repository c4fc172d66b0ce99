export const PDF_UA = 'http://www.aiim.org/pdfua/ns/id/';

/** pdfkit's own subset would also list the glyphs of each font, but not those that are parts of others. */
export const PDF_UA_CLAIM = `
<rdf:Description rdf:about="" xmlns:pdfuaid="${PDF_UA}">
  <pdfuaid:part>1</pdfuaid:part>
</rdf:Description>`;
