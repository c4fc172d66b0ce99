import type { Component, React, SystemProps } from './swagger-ui.ts';

/** The order of the page. The filter and the key stay on top, because they are always needed. */
export function layout({ createElement: h }: React): Component {
  return function ReferenceLayout({ getComponent, specSelectors }: SystemProps) {
    const status = specSelectors.loadingStatus();
    if (status !== 'success') {
      return h(
        'p',
        { className: 'state' },
        status === 'loading' ? 'Loading the reference.' : 'It cannot be loaded now.',
      );
    }
    return h(
      'div',
      { className: 'swagger-ui' },
      h(getComponent('SvgAssets'), null),
      h(
        'div',
        { className: 'toolbar' },
        h(getComponent('FilterContainer', true), null),
        h(getComponent('AuthorizeBtnContainer', true), null),
      ),
      h(getComponent('errors', true), null),
      h('div', { className: 'wrapper' }, h(getComponent('InfoContainer', true), null)),
      h(
        'main',
        { className: 'wrapper', id: 'operations' },
        h(getComponent('operations', true), null),
        h(getComponent('Models', true), null),
      ),
    );
  };
}
