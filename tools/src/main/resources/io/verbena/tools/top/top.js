'use strict';
const view = { name: 'connections', sort: null, reverse: null, filter: null, chosen: '', paused: false, data: null, timer: 0 };
const element = id => document.getElementById(id);

function make(name, text, className) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  if (className) made.className = className;
  return made;
}

const count = (number, one, many) => number + ' ' + (number === 1 ? one : many);

/* Asks for what is shown. The server looks at the processes only then. */
async function refresh() {
  clearTimeout(view.timer);
  if (view.paused) return;
  const asked = new URLSearchParams();
  if (view.sort !== null) { asked.set('sort', view.sort); asked.set('reverse', view.reverse); }
  if (view.filter !== null) asked.set('filter', view.filter);
  if (view.chosen) asked.set('chosen', view.chosen);
  const query = asked.toString();
  view.asked = query;
  try {
    const response = await fetch('data.json?' + query);
    const text = await response.text();
    if (view.asked !== query || view.paused) return; // another choice was made meanwhile
    if (!response.ok) throw new Error(text);
    view.data = JSON.parse(text);
    if (view.sort === null) { view.sort = view.data.sort; view.reverse = view.data.isReversed; }
    if (view.filter === null) { view.filter = view.data.filter; element('filter').value = view.filter; }
    element('trouble').hidden = true;
    draw();
  } catch (error) {
    element('trouble').textContent = error instanceof TypeError
      ? 'verbena top has ended; start it again and open its new address.' : 'verbena top: ' + error.message;
    element('trouble').hidden = false;
  }
  clearTimeout(view.timer);
  view.timer = setTimeout(refresh, document.hidden ? 10000 : (view.data ? view.data.intervalMs : 1000));
}

function draw() {
  const data = view.data;
  const filter = data.filter.trim();
  const matching = data.connectionCount === 1 ? 'matches' : 'match';
  element('summary').textContent = new Date(data.timeMs).toLocaleTimeString() + ' · ' + count(data.processCount, 'process', 'processes')
    + ', ' + count(data.deviceCount, 'device', 'devices') + ', ' + (filter && data.matchingCount + ' of ') + count(data.connectionCount, 'connection', 'connections')
    + (filter && ` ${matching} '${filter}'`)
    + (view.paused ? ' · paused' : '');
  drawHeadings(data[view.name].columns);
  drawRows(data[view.name]);
  element('empty').hidden = data.processCount > 0;
  drawDetails(data.details);
}

function drawHeadings(columns) {
  const cells = columns.map(column => {
    const cell = make('th', undefined, classOf(column));
    cell.scope = 'col';
    if (column.key) {
      const button = make('button', column.heading + (column.key === view.sort ? (view.reverse ? ' ▲' : ' ▼') : ''));
      button.type = 'button';
      button.dataset.sort = column.key;
      cell.append(button);
      if (column.key === view.sort) cell.setAttribute('aria-sort', view.reverse ? 'ascending' : 'descending');
    } else {
      cell.append(make('span', column.heading));
    }
    return cell;
  });
  const focused = document.activeElement && document.activeElement.dataset.sort;
  element('headings').replaceChildren(...cells);
  if (focused) document.querySelector('[data-sort="' + focused + '"]')?.focus();
}

function classOf(column) {
  const classes = [];
  if (column.isNumber) classes.push('number');
  if (column.key && column.key !== view.sort) classes.push('rank-' + column.rank);
  return classes.join(' ');
}

function drawRows(table) {
  const focused = document.activeElement && document.activeElement.dataset.id;
  const rows = table.rows.map(row => {
    const line = make('tr', undefined, row.state ? 'state-' + row.state : '');
    if (row.id) {
      line.dataset.id = row.id;
      line.tabIndex = 0;
      if (row.id === view.chosen) line.classList.add('chosen');
    }
    row.cells.forEach((text, i) => line.append(make('td', text, classOf(table.columns[i]))));
    return line;
  });
  element('rows').replaceChildren(...rows);
  if (focused) [...element('rows').children].find(row => row.dataset.id === focused)?.focus();
}

function drawDetails(details) {
  element('details').hidden = !view.chosen;
  if (!details) return;
  const facts = details.facts || { 'this connection': 'has ended' };
  element('facts').replaceChildren(...Object.entries(facts).flatMap(([name, value]) => [make('dt', name), make('dd', value)]));
  element('hints').replaceChildren(...(details.hints || []).map(hint => make('li', hint)));
}

function choose(id) {
  view.chosen = view.chosen === id ? '' : id;
  element('details').hidden = !view.chosen;
  refresh();
}

function pause() {
  view.paused = !view.paused;
  element('pause').setAttribute('aria-pressed', view.paused);
  if (view.paused) { clearTimeout(view.timer); if (view.data) draw(); } else refresh();
}

element('headings').addEventListener('click', event => {
  const key = event.target.dataset.sort;
  if (!key) return;
  view.reverse = key === view.sort ? !view.reverse : false;
  view.sort = key;
  refresh();
});
element('rows').addEventListener('click', event => {
  const row = event.target.closest('tr[data-id]');
  if (row) choose(row.dataset.id);
});
element('rows').addEventListener('keydown', event => {
  if (event.key === 'Enter' && event.target.dataset.id) choose(event.target.dataset.id);
});
element('views').addEventListener('click', event => {
  if (!event.target.dataset.view) return;
  view.name = event.target.dataset.view;
  for (const button of element('views').children) {
    button.setAttribute('aria-pressed', button.dataset.view === view.name);
  }
  if (view.data) draw();
});
element('filter').addEventListener('input', event => { view.filter = event.target.value; refresh(); });
element('pause').addEventListener('click', pause);
element('close').addEventListener('click', () => choose(view.chosen));
document.addEventListener('visibilitychange', () => { if (!document.hidden) refresh(); });
refresh();
