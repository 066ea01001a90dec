// The keyboard.

const KEYS = [
  ['j, ↓', 'next event', (view) => view.move(1)],
  ['k, ↑', 'previous event', (view) => view.move(-1)],
  ['n', 'next event that stands out', (view) => view.moveToProblem(1)],
  ['p', 'previous event that stands out', (view) => view.moveToProblem(-1)],
  ['f', 'next event of the same request or finding', (view) => view.moveInStory(1)],
  ['b', 'previous event of the same request or finding', (view) => view.moveInStory(-1)],
  ['→', 'move the timeline to later events', (view) => view.timeline.pan(120)],
  ['←', 'move the timeline to earlier events', (view) => view.timeline.pan(-120)],
  ['+', 'zoom in at the chosen event', (view) => view.timeline.zoom(1 / 1.5)],
  ['-', 'zoom out', (view) => view.timeline.zoom(1.5)],
  ['0', 'show the whole timeline', (view) => view.showAll()],
  ['a', 'axis: order or time', (view) => view.toggleAxis()],
  ['/', 'search', () => {
    document.getElementById('more-filters').open = true;
    document.getElementById('by-text').focus();
  }],
  ['o', 'show only the chosen request or finding', (view) => view.only(view.story.events)],
  ['Escape', 'clear filters and search', (view) => view.clearFilters()],
  ['e', 'save the timeline as SVG', (view) => view.save()],
  ['t', 'light or dark', (view) => view.toggleTheme()],
  ['?', 'this help', () => document.getElementById('keys').showModal()],
];
const POINTER = [
  ['click', 'choose an event'],
  ['drag, sideways wheel', 'move the timeline'],
  ['Ctrl + wheel', 'zoom in and out'],
];
const ARROWS = { ArrowDown: '↓', ArrowUp: '↑', ArrowRight: '→', ArrowLeft: '←', '=': '+' };

function listenToKeys(view) {
  const list = document.getElementById('key-list');
  for (const [keys, words] of KEYS.concat(POINTER)) {
    const row = list.insertRow();
    row.insertCell().appendChild(make('kbd', '', keys));
    row.insertCell().textContent = words;
  }
  document.addEventListener('keydown', e => {
    const isTyping = e.target.matches('input, select');
    if (isTyping && e.key === 'Escape') {
      e.preventDefault(); // browsers empty the field themselves, without a word to the filter
      e.target.blur();
      view.clearFilters();
    }
    if (e.ctrlKey || e.metaKey || e.altKey || isTyping || document.getElementById('keys').open) return;
    const key = ARROWS[e.key] || e.key;
    const row = KEYS.find(([keys]) => keys.split(', ').includes(key));
    if (row) {
      e.preventDefault();
      row[2](view);
    }
  });
}
