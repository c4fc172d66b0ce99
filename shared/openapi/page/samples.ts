import { codeSamples } from './code-samples.ts';
import type { Component, React, ResponsesProps } from './swagger-ui.ts';
import { tabs } from './tabs.ts';

declare const location: { readonly origin: string };

export function samples(react: React): Component {
  const { createElement: h } = react;
  const Tabs = tabs(react);

  return function Samples({ path, method, specSelectors, getComponent }: ResponsesProps) {
    const HighlightCode = getComponent('HighlightCode', true);
    const operation = specSelectors.specResolvedSubtree(['paths', path, method]).toJS();
    const { curl, javascript } = codeSamples(location.origin, path, method, operation);
    const languages = [
      { title: 'curl', content: h(HighlightCode, { language: 'bash', canCopy: true }, curl) },
      { title: 'JavaScript', content: h(HighlightCode, { language: 'javascript', canCopy: true }, javascript) },
    ];
    return h('section', null, h('h4', null, 'Request'), h(Tabs, { label: 'Language', tabs: languages }));
  };
}
