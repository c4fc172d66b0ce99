import type { Component, Node, React } from './swagger-ui.ts';

export interface Tab {
  readonly title: string;
  readonly content: Node;
}

export interface TabsProps {
  readonly label: string;
  readonly tabs: readonly Tab[];
}

export function tabs({ createElement: h, useState }: React): Component {
  return function Tabs({ label, tabs: all }: TabsProps) {
    const [wanted, setWanted] = useState(0);
    const buttons = all.map(({ title }, position) =>
      h(
        'button',
        {
          key: title,
          type: 'button',
          role: 'tab',
          'aria-selected': position === wanted,
          onClick: () => setWanted(position),
        },
        title,
      ),
    );
    return h(
      'div',
      { className: 'tabs' },
      h('div', { role: 'tablist', 'aria-label': label }, buttons),
      h('div', { role: 'tabpanel', 'aria-label': all[wanted]?.title }, all[wanted]?.content ?? null),
    );
  };
}
